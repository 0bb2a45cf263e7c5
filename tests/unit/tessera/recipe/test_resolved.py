"""The contract: canonical JSON, digest, schema, and back again."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessera.errors import ProblemsError, TesseraError
from tessera.recipe import canonical, schema
from tessera.recipe.resolve import resolve
from tessera.recipe.resolved import ResolvedRecipe

SCHEMA_FILE = Path(__file__).parents[4] / "recipes" / "schema" / "resolved-recipe.json"


@pytest.fixture
def recipe(small, request_for, pool):
    return resolve(request_for(pool("a"), pool("b", os="rhel-9")), small)


def test_the_schema_file_is_the_codes(request):
    if request.config.getoption("--update-golden"):
        SCHEMA_FILE.parent.mkdir(exist_ok=True)
        SCHEMA_FILE.write_text(json.dumps(schema.SCHEMA, indent=2) + "\n", encoding="utf-8")
    assert json.loads(SCHEMA_FILE.read_text(encoding="utf-8")) == schema.SCHEMA, "run with --update-golden"


def test_a_recipe_keeps_its_schema_and_comes_back_from_its_text(recipe):
    text = recipe.to_json()
    assert list(schema.problems(json.loads(text))) == []
    assert ResolvedRecipe.from_json(text) == recipe
    assert ResolvedRecipe.from_json(text).to_json() == text


def leaf_paths(value, path=()):
    if isinstance(value, dict) and value:
        return {found for key, inner in value.items() for found in leaf_paths(inner, (*path, key))}
    return {path}


def test_provenance_covers_all_values_and_nothing_else(recipe):
    from tessera.recipe import paths

    values = {"artifacts": recipe.artifacts, "constraints": recipe.constraints, "components": {}, "pools": {}}
    if recipe.control_plane:
        values["control_plane"] = recipe.control_plane
    for one in recipe.components:
        plain = {key: value for key, value in vars(one).items() if key != "name"}
        values["components"][one.name] = {key: value for key, value in plain.items() if value not in (None, {}, ())}
    for one in recipe.pools:
        values["pools"][one.name] = {"hosts": one.hosts, "constraints": one.constraints}
    defaults = {"constraints.kubernetes.severity", "pools.b.constraints"}
    assert {paths.text(path) for path in leaf_paths(values)} - defaults == set(recipe.provenance)


def changed(recipe, **more):
    return ResolvedRecipe(**{**{key: value for key, value in vars(recipe).items() if key != "digest"}, **more})


JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text("aé", max_size=2),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text("ab", max_size=1), inner, max_size=2)),
    max_leaves=4,
)


@given(JSON, JSON)
def test_the_digest_changes_if_and_only_if_the_canonical_text_does(a, b):
    assert (canonical.digest(a) == canonical.digest(b)) == (canonical.text(a) == canonical.text(b))


def test_the_digest_is_of_all_but_the_provenance(recipe):
    assert changed(recipe, provenance={}, deleted={}).digest == recipe.digest
    assert changed(recipe, artifacts={"charts": {}}).digest != recipe.digest
    assert changed(recipe, pools=recipe.pools[:1]).digest != recipe.digest


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param({"format": 2}, "made for a newer Tessera; found format 2; update Tessera", id="newer"),
        pytest.param({"format": 0}, "format: found 0, allowed: 1", id="older"),
        pytest.param({"format": True}, "format: found True, allowed: 1", id="true is not 1"),
        pytest.param({"more": 1}, "the recipe: unknown key 'more'", id="unknown key"),
        pytest.param({"pools": [{"name": 5}]}, "pools[0].name: must be of type string; found 5", id="wrong type"),
        pytest.param({"pools": [{}]}, "pools[0]: 'size' is missing", id="missing"),
        pytest.param({"digest": "x"}, "digest: must match", id="no digest"),
        pytest.param(
            {"digest": "0" * 64}, "its digest is not that of its content; resolve it anew", id="another's digest"
        ),
        pytest.param({"artifacts": {"charts": {}}}, "its digest is not that of its content", id="edited"),
        pytest.param(
            {"constraints": {"a": {"subject": "s", "severity": "warn"}}},
            "constraints.a.severity: found 'warn'",
            id="severity",
        ),
        pytest.param({"constraints": {"a": {"one of": []}}}, "constraints.a.one of: must not be empty", id="no choice"),
    ],
)
def test_a_text_that_is_no_recipe_is_refused(recipe, change, said):
    with pytest.raises(TesseraError) as told:
        ResolvedRecipe.from_json(json.dumps({**recipe.document(), **change}))
    assert said in str(told.value)


def test_all_that_breaks_the_schema_is_told_at_once(recipe):
    pool = {"name": "a", "size": -1, "criteria": {"os": 1}, "machine": None, "x": 1}
    broken = {**recipe.document(), "pools": [pool]}
    with pytest.raises(ProblemsError) as told:
        ResolvedRecipe.from_json(json.dumps(broken))
    assert len(told.value.problems) == 5


@pytest.mark.parametrize("text", ["", "{", "5", "[]", '"\\ud800"'])
def test_a_text_that_is_nothing_is_refused(text):
    with pytest.raises(TesseraError, match="a resolved recipe: "):
        ResolvedRecipe.from_json(text)
