"""The inventory as Ansible reads it: a static YAML file, or the JSON of a dynamic inventory."""

from __future__ import annotations

import json

import yaml

from tessera import naming
from tessera.errors import TesseraError
from tessera.inventory.stack import Inventory

_WIDTH = 10**6
"""Columns; no value is folded."""


class _Dumper(yaml.SafeDumper):
    """Quotes what begins with a digit: YAML 1.2 reads numbers in texts that are none to PyYAML, such as 1e5."""


def _text(dumper: yaml.SafeDumper, data: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style='"' if data[:1].isdigit() else None)


_Dumper.add_representer(str, _text)


def static(inventory: Inventory, stack: str) -> str:
    """A YAML inventory. stack: the name that the file's first line tells."""
    tree = {
        "all": {
            "hosts": {host.name: dict(host.variables) for host in inventory.hosts},
            "children": {name: {"hosts": {host: {} for host in hosts}} for name, hosts in inventory.groups},
        }
    }
    said = [f"Written by `tessera inventory -s {stack}`; change the stack file, not this one."]
    if inventory.empty:
        said.append(f"{inventory.empty[0].upper()}{inventory.empty[1:]}.")
    comments = "".join(f"# {' '.join(line.split())}\n" for line in said)
    return comments + yaml.dump(tree, Dumper=_Dumper, sort_keys=False, width=_WIDTH)


def listed(inventory: Inventory) -> str:
    """The answer to --list: groups, and under _meta the variables of all hosts, so that no --host is asked."""
    groups = {name: {"hosts": list(hosts)} for name, hosts in inventory.groups}
    variables = {host.name: dict(host.variables) for host in inventory.hosts}
    tree = {"_meta": {"hostvars": variables}, "all": {"children": list(groups), "hosts": list(variables)}, **groups}
    return json.dumps(tree, indent=2) + "\n"


def host(inventory: Inventory, name: str) -> str:
    """The answer to --host: the variables of one host. Raises TesseraError where no host is called so."""
    variables = {host.name: dict(host.variables) for host in inventory.hosts}
    if name not in variables:
        raise TesseraError(naming.unknown("host", name, variables))
    return json.dumps(variables[name], indent=2) + "\n"
