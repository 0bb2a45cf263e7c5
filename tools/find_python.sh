#!/bin/sh
# Prints a Python of at least 3.12: the newest on PATH or under pyenv; else says what to install.
# The base of a virtual environment rather than that environment, which may be the one about to be made anew.
fits() { "$1" -c 'import sys, venv; sys.version_info < (3, 12) and sys.exit(1); print(sys._base_executable)' 2>/dev/null; }
for name in python3.14 python3.13 python3.12 python3 python; do
    found=$(command -v "$name" 2>/dev/null) && fits "$found" && exit 0
done
for found in $(ls -d "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python 2>/dev/null | sort -rV); do
    fits "$found" && exit 0
done
echo "tessera: no Python 3.12 or newer on PATH or under pyenv; install one, for example: pyenv install 3.12" >&2
exit 1
