"""The documentation is true: its commands run, its links lead somewhere, and it leaves nothing out."""

import re
import subprocess
import typing
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel

from cli.main import app
from tessera.errors import ProblemsError
from tessera.spec import stack as spec
from tests.docs.pages import CHECKOUT, PAGES, Command, blocks, commands, name
from tests.docs.sandbox import Sandbox

NOT_RUN = {
    "make test": "would start this test again; .ci/run runs it",
    "make clean": "removes the environment that this test runs in",
    "tessera tools clean": "removes from the user's cache; tests/unit/tools runs it on one of its own",
}
"""Commands of the docs that are not run here, and why."""

ANY_STATUS = {
    "doctor": "looks at the whole machine; what it says of each fault is tested in tests/components and tests/unit/cli",
}
"""Commands that may find something wrong here, though the docs show them on a machine where all is well."""

RUN = [page for page in PAGES if commands(page)]


def runnable(page: Path) -> list[Command]:
    found = [command for command in commands(page) if command.text not in NOT_RUN]
    return [Command(f"{row.text} || test $? = 1") if row.text.split()[-1] in ANY_STATUS else row for row in found]


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    """One for all pages, in the order in which a reader meets them: what one leaves, the next finds."""
    made = Sandbox(tmp_path_factory.mktemp("docs"))
    yield made
    made.close()


@pytest.mark.engine
@pytest.mark.lab
@pytest.mark.parametrize("page", RUN, ids=name)
def test_commands_of_a_page_run(page, sandbox):
    sandbox.run(runnable(page))


def test_reasons_not_to_run_a_command_are_needed():
    shown = {command.text for page in PAGES for command in commands(page)}
    assert set(NOT_RUN) <= shown


def test_only_backends_elsewhere_are_left_untested():
    untested = {name(page) for page in PAGES for block in blocks(page) if block.note == "no-test"}
    assert untested == {"docs/backends.md"}


@pytest.mark.parametrize("page", [*PAGES, CHECKOUT / "CHANGELOG.md"], ids=name)
def test_links_lead_to_files_and_headings(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        path, _, heading = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        assert not heading or heading in anchors(file), target


def anchors(page: Path) -> set[str]:
    """Anchors as GitHub makes them from headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_is_reached_from_the_readme():
    linked = {CHECKOUT / target for target in re.findall(r"\]\((\S+?\.md)\)", (CHECKOUT / "README.md").read_text())}
    pages = {page for page in PAGES[1:] if page.parent.name != "decisions"}
    assert pages <= linked


def test_every_command_is_on_the_command_line_page():
    page = (CHECKOUT / "docs" / "cli.md").read_text(encoding="utf-8")
    missing = [words for words in command_words() if f"`{words}`" not in page]
    assert not missing


def command_words() -> list[str]:
    import typer.main

    def walk(command, words):
        inner = getattr(command, "commands", {})
        return [each for key, row in inner.items() for each in walk(row, f"{words} {key}")] if inner else [words]

    return walk(typer.main.get_command(app), "tessera")


def test_every_field_of_a_stack_is_on_its_page():
    page = (CHECKOUT / "docs" / "stack-file.md").read_text(encoding="utf-8")
    tops = [f"## tessera:{key}" for key in spec.KEYS]
    fields = [
        f"| `{field.alias or key}` |" for model in models(spec.Stack) for key, field in model.model_fields.items()
    ]
    missing = [text for text in (*tops, *fields) if text not in page]
    assert not missing


def models(top: type[BaseModel]) -> list[type[BaseModel]]:
    """The models inside a model."""
    inner = [
        part for field in top.model_fields.values() for part in (field.annotation, *typing.get_args(field.annotation))
    ]
    return [part for part in inner if isinstance(part, type) and issubclass(part, BaseModel)]


def test_stack_files_of_the_docs_are_right_or_wrong_as_they_say():
    page = blocks(CHECKOUT / "docs" / "stack-file.md")
    shown = [block for block in page if block.language == "yaml"]
    right, wrong = (values(block.text) for block in shown)
    assert shown[1].note == "wrong"
    spec.stack(right)
    with pytest.raises(ProblemsError) as raised:
        spec.stack(wrong)
    told = next(block.text for block in page if block.language == "text")
    assert told.splitlines() == list(raised.value.problems)


def values(text: str) -> dict:
    return {key.removeprefix("tessera:"): value for key, value in yaml.safe_load(text)["config"].items()}


def test_class_and_selector_of_the_docs_are_those_of_the_catalogue():
    from tessera.dra.classes import service_class
    from tessera.dra.selectors import selector

    page = blocks(CHECKOUT / "docs" / "classes.md")
    shown = next(block.text for block in page if block.language == "yaml")
    assert shown == (CHECKOUT / "recipes" / "classes" / "gpu-inference-light.yaml").read_text(encoding="utf-8")
    assert selector(service_class("gpu-inference-light").requires) in (block.text.strip() for block in page)


def test_table_of_classes_is_the_catalogue():
    from tessera.dra.classes import names, service_class
    from tessera.dra.verdicts import words

    page = (CHECKOUT / "docs" / "classes.md").read_text(encoding="utf-8")
    for called in names():
        level = service_class(called)
        each = "".join(f" + {one.name} (same {one.same})" for one in level.companions)
        row = [f"`{called}`", f"{level.count} x {words(level.requires)}{each}", str(level.price), level.priority]
        assert f"| {' | '.join(row)} | {'yes' if level.queueable.answer else 'no'} |" in page


def test_requirements_of_the_docs_are_all_there_are():
    from dataclasses import fields

    from tessera.dra.requirements import Requirement

    page = (CHECKOUT / "docs" / "classes.md").read_text(encoding="utf-8")
    assert [one.name for one in fields(Requirement) if f"| `{one.name}` |" not in page] == []


def test_readme_names_only_targets_that_exist_and_help_lists_all():
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*##", makefile, re.MULTILINE))
    helped = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=CHECKOUT, capture_output=True, text=True, check=True
    ).stdout
    named = {word for page in PAGES for word in re.findall(r"`?make ([a-z-]+)`", page.read_text(encoding="utf-8"))}
    assert named <= targets
    assert targets == {line.split()[0] for line in helped.splitlines()}
    assert set(re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)[1].split()) == targets
