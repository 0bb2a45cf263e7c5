"""The distributions installed for a program.

The host runs this file in the program's interpreter (standard library only), where it prints them as JSON.
"""

import json
import re
import sys
from importlib.metadata import distributions


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def installed(*, transitive: bool) -> dict[str, str]:
    """Versions by name; without `transitive`, of those only that no other distribution requires."""
    versions: dict[str, str] = {}
    required: set[str] = set()
    for distribution in distributions():
        versions[_canonical(distribution.metadata["Name"])] = distribution.version
        for requirement in distribution.requires or []:
            # What an extra wants, nobody may have asked for.
            name = re.match(r"[\w.-]+", requirement)
            if name and "extra ==" not in requirement:
                required.add(_canonical(name.group()))
    return {name: versions[name] for name in sorted(versions) if transitive or name not in required}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(installed(transitive="--transitive" in sys.argv)))
