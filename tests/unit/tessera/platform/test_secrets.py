"""References to secrets in values."""

from tessera.platform.secrets import filled, pull_secrets, references

VALUES = {"a": {"b": ["x", "secret://one"]}, "imagePullSecrets": [{"name": "p"}, "q"], "c": 1}


def test_references_are_found_with_their_paths_and_filled_in_place():
    assert list(references(VALUES)) == [("a.b.1", "one")]
    assert filled(VALUES, str.upper) == {**VALUES, "a": {"b": ["x", "ONE"]}}


def test_pull_secrets_are_found_wherever_they_stand():
    assert list(pull_secrets({"deep": [VALUES]})) == ["p", "q"]
