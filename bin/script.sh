# shellcheck shell=sh
# shellcheck disable=SC2034 # root is used by the scripts that source it
# What scripts of this folder begin with: their place, messages, help. Sourced after `set -eu`, whose
# line ends the comment that --help shows.

root=$(cd "$(dirname "$0")/.." && pwd)
script=$(basename "$0" .sh)

say() {
    printf '%s: %s\n' "$script" "$*" >&2
}

fail() {
    say "$*"
    exit 1
}

case ${1:-} in
    -h | --help)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    -*) fail "unknown option $1; bin/$script.sh --help" ;;
esac
