"""kubectl against a lab, as a user runs it."""

import subprocess

from tools.toolset import ensure


def kubectl(home, *words, stdin=None, fails=False, identity=None):
    """What kubectl printed; its exit status must be as expected."""
    config = home.conf / f"{identity}.kubeconfig" if identity else home.kubeconfig
    binary = ensure(["kubectl"]).path("kubectl")
    done = subprocess.run(
        [str(binary), f"--kubeconfig={config}", *words], input=stdin, text=True, capture_output=True, check=False
    )
    assert bool(done.returncode) == fails, done.stdout + done.stderr
    return done.stdout + done.stderr
