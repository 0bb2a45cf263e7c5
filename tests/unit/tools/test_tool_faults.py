"""What Go prints when something fails, as it printed it, becomes one sentence."""

from pathlib import Path

import pytest

from tools import versions
from tools.faults import explain

KWOK = versions.tools("1.36")["kwok"]
LOG = Path("/cache/logs/kwok-1.log")


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        pytest.param(
            "go: downloading sigs.k8s.io/kwok v0.8.0\nmodule lookup disabled by GOPROXY=off",
            "sigs.k8s.io/kwok@v0.8.0 is not on this machine, and GOPROXY=off forbids",
            id="GOPROXY is off",
        ),
        pytest.param(
            "module lookup disabled by GOPROXY=off", "sigs.k8s.io/kwok@v0.8.0 is not on", id="no module is named at all"
        ),
        pytest.param(
            'k8s.io/api@v0.36.3: Get "http://127.0.0.1:1/k8s.io/api/@v/v0.36.3.zip": dial tcp 127.0.0.1:1: connect: '
            "connection refused",
            "k8s.io/api@v0.36.3 could not be downloaded: the module proxy can't be reached. Check the network",
            id="the proxy refuses connections",
        ),
        pytest.param(
            "k8s.io/api@v0.36.3: reading http://127.0.0.1:8971/k8s.io/api/@v/v0.36.3.zip: 404 File not found",
            "The module proxy has no k8s.io/api@v0.36.3. Set GOPROXY",
            id="the proxy does not have it",
        ),
        pytest.param(
            "go: downloading k8s.io/api v0.36.3\nverifying k8s.io/api@v0.36.3: checksum mismatch\n\tdownloaded: h1:x=\n"
            "\tgo.sum:     h1:y=\n\nSECURITY ERROR\n",
            "k8s.io/api@v0.36.3 was downloaded, but is not the code that go.sum names",
            id="the checksum differs",
        ),
        pytest.param(
            "go: go.mod requires go >= 1.26.6 (running go 1.26.1; GOTOOLCHAIN=local)",
            "kwok needs Go 1.26.6 or newer, and this is Go 1.26.1. Install a newer Go",
            id="a module wants a newer Go",
        ),
        pytest.param(
            "k8s.io/api/core/v1: /go/pkg/tool/linux_amd64/compile: signal: killed",
            "kwok could not be built: the machine ran out of memory",
            id="the compiler was killed",
        ),
        pytest.param(
            "compile: writing output: write $WORK/b150/_pkg_.a: no space left on device",
            "The disk ran full while kwok was built. Free some space",
            id="the disk ran full",
        ),
    ],
)
def test_a_known_fault_says_what_to_do(output, sentence):
    message = str(explain(KWOK, output, LOG))
    assert message.startswith(sentence)
    assert "\n" not in message


def test_another_fault_quotes_the_end_and_names_the_log():
    message = str(explain(KWOK, "\n".join(f"line {n}" for n in range(50)), LOG))
    assert "line 29\n" not in message
    assert "line 30\nline 31\n" in message
    assert message.endswith(f"line 49\nAll of it is in {LOG}.")
