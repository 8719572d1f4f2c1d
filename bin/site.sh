#!/bin/sh
# Builds the documentation site from docs/, with reference pages from what the product prints. Needs
# Python 3.11 or newer with venv, curl, and the package registry the first time; builds the product
# if it is not built. Fails on a warning of the generator, and on a dead link or anchor.
#
#   bin/site.sh [FOLDER]     by default target/site/html; open its index.html, or: ./tandem serve FOLDER
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
output=${1:-$root/target/site/html}
work=$root/target/site
python=${PYTHON:-python3}

case ${1:-} in
    -h | --help)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    -*)
        echo "site: unknown option $1; bin/site.sh --help" >&2
        exit 2
        ;;
esac

say() {
    printf 'site: %s\n' "$*" >&2
}

# The versions and bytes of site/requirements.txt, and no others.
generator=$work/venv
if ! cmp -s "$root/site/requirements.txt" "$generator/requirements.txt"; then
    say "installing the generator"
    rm -rf "$generator"
    "$python" -m venv "$generator"
    "$generator/bin/pip" install -q --disable-pip-version-check --require-hashes \
        -r "$root/site/requirements.txt"
    cp "$root/site/requirements.txt" "$generator/requirements.txt"
fi

say "the reference, from the product"
"$root/tandem" --version >/dev/null
rm -rf "$work/generated"
"$generator/bin/python" "$root/site/reference.py" "$root" "$work/generated"
"$generator/bin/python" "$root/site/charts.py" "$root" "$work/generated"

say "the pages"
"$generator/bin/python" "$root/site/prepare.py" "$root" "$work/source" "$work/generated"
rm -rf "$output"
"$generator/bin/sphinx-build" -q -W --keep-going -b html -d "$work/doctrees" -c "$root/site" \
    "$work/source" "$output"
rm -rf "$output/_sources" "$output/.buildinfo"
"$generator/bin/python" "$root/site/links.py" "$output"
say "$output/index.html"
