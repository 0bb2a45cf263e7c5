"""The Kubernetes provider in its place in Pulumi's home, started in a folder for its files that goes when it ends.

It writes each kubeconfig that it gets into a file for Helm, and leaves it: a key to the cluster after every preview.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

PROVIDER = "pulumi-resource-kubernetes"
_MARK = "# written by tessera"
_SCRIPT = f"""#!/bin/sh
{_MARK}
for old in {{files}}/*; do
  test -d "$old" && ! kill -0 "${{{{old##*.}}}}" 2>/dev/null && rm -rf "$old"  # of one that was killed
done
TMPDIR={{files}}/provider.$$
export TMPDIR
mkdir -p -m 700 {{files}} && mkdir -m 700 "$TMPDIR" || exit 1
trap 'rm -rf "$TMPDIR"' EXIT
trap : HUP INT TERM  # they are for the provider, and it ends by them
{{program}} "$@"
"""


def place(plugin: Path, program: Path, files: Path) -> None:
    """Have the engine start `program` from the folder `plugin`. An official plugin that is there already stays.

    files: folder for what it writes while it runs.
    """
    path = plugin / PROVIDER
    text = _SCRIPT.format(files=shlex.quote(str(files)), program=shlex.quote(str(program)))
    if not path.is_symlink() and path.exists():
        found = path.read_bytes()
        if _MARK.encode() not in found[:100] or found == text.encode():
            return
    plugin.mkdir(parents=True, exist_ok=True)
    fresh = plugin / f".{PROVIDER}.{os.getpid()}"
    fresh.write_text(text)
    fresh.chmod(0o755)
    fresh.replace(path)
