"""The pages of the documentation, and the blocks of code on them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
PAGES = (CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").rglob("*.md")))
_BLOCK = re.compile(r"^```(\S*) ?(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_STATUS = re.compile(r"#.*exit status (\d+)")
_HEREDOC = re.compile(r"<<'(\w+)'$")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, what stands behind that, and its text."""

    language: str
    note: str
    text: str


@dataclass(frozen=True)
class Command:
    """A command of a page, less its comment, and the exit status that it should have."""

    text: str
    status: int = 0


def name(page: Path) -> str:
    return str(page.relative_to(CHECKOUT))


def blocks(page: Path) -> list[Block]:
    return [Block(*match) for match in _BLOCK.findall(page.read_text(encoding="utf-8"))]


def commands(page: Path) -> list[Command]:
    """The commands of a page's sh blocks, in order; a here-document is one command."""
    texts = [block.text for block in blocks(page) if block.language == "sh" and block.note != "no-test"]
    return [command for text in texts for command in _split(text)]


def _split(text: str) -> list[Command]:
    found, lines = [], iter(text.splitlines())
    for line in lines:
        status = _STATUS.search(line)
        whole = re.sub(r"\s+# .*$", "", line).strip()
        if end := _HEREDOC.search(whole):
            for part in lines:
                whole += f"\n{part}"
                if part == end[1]:
                    break
        if whole and not whole.startswith("#"):
            found.append(Command(whole, int(status[1]) if status else 0))
    return found
