"""Functions of values by name, as Kubernetes' CEL libraries define them. Each takes the receiver first."""

from __future__ import annotations

from collections.abc import Mapping

from tessera.dra.cel.conversions import CONVERSIONS, OPTIONALS
from tessera.dra.cel.lists import LISTS
from tessera.dra.cel.operators import OPERATORS
from tessera.dra.cel.overloads import Function
from tessera.dra.cel.quantities import QUANTITIES, SEMVERS
from tessera.dra.cel.strings import STRINGS

FUNCTIONS: Mapping[str, Function] = dict(
    (*OPERATORS, *CONVERSIONS, *OPTIONALS, *STRINGS, *LISTS, *QUANTITIES, *SEMVERS)
)
"""Functions whose arguments are evaluated before they are called, by name."""
