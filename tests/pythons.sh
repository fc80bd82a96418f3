#!/bin/sh
# `make test` once more with each other Python that pyproject.toml names and this machine has, each in a clone of what
# is committed: the packages of one Python are not those of another.
set -eu
own=$(.venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for version in $(sed -n 's/.*"Programming Language :: Python :: \(3\.[0-9]*\)".*/\1/p' pyproject.toml); do
    [ "$version" != "$own" ] || continue
    if ! "python$version" -c "" 2> /dev/null; then
        echo "Python $version is not on this machine; the tests are not run with it."
        [ "${CI:-}" != true ] || exit 1
        continue
    fi
    echo "The tests with Python $version:"
    git clone --quiet . "$folder/$version"
    make -C "$folder/$version" test "PYTHON=python$version"
    rm -rf "${folder:?}/$version"
done
