"""docs/security.md has the floors of recipes/security.yaml."""

from pathlib import Path

from tessera.recipe.security.floors import floors

PAGE = Path(__file__).resolve().parents[5] / "docs" / "security.md"


def test_the_page_has_every_floor():
    rows = PAGE.read_text(encoding="utf-8").splitlines()
    for one in floors():
        row = (
            f"| {one.what} | {one.branch or '-'} | {one.at_least} | {', '.join(one.cves)} | {one.source}, {one.date} |"
        )
        assert row in rows
