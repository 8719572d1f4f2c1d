#!/bin/sh
# Makes the pictures of the README, docs/pictures/*.png: the auction's front page and the console while
# emulated users are at work, and a report of the laboratory. Needs Chromium and pngquant; ports 8080 and 8090
# must be free. Takes about three minutes; nothing else should run meanwhile, since the report would say so.
#
#   bin/pictures.sh [demo] [report]      by default both
set -eu

USERS=300
WARM=45       # seconds until the console's charts show something
SIZE_MAX=150  # KiB of a picture
START_MAX=120 # seconds

# shellcheck source=bin/script.sh
. "$(dirname "$0")/script.sh"
output=$root/docs/pictures

for tool in chromium pngquant curl; do
    command -v "$tool" >/dev/null || fail "needs $tool: apt-get install $tool"
done
work=$(mktemp -d)
server=''
end() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || :
    rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM

# picture NAME URL HEIGHT: what a browser shows at 1,200 pixels' width. The virtual time lets scripts
# fetch and draw before the picture is taken.
picture() {
    chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/browser" \
        --window-size="1200,$3" --virtual-time-budget=5000 --screenshot="$work/$1.png" "$2" \
        >"$work/browser.log" 2>&1 || fail "$(cat "$work/browser.log")"
    pngquant --force --speed 1 --strip --output "$output/$1.png" 128 "$work/$1.png"
    kib=$(($(wc -c <"$output/$1.png") / 1024))
    [ "$kib" -le "$SIZE_MAX" ] || fail "$1.png has $kib KiB, more than $SIZE_MAX"
    echo "docs/pictures/$1.png: $kib KiB" >&2
}

demo() {
    "$root/tandem" demo --users "$USERS" >"$work/log" 2>&1 &
    server=$!
    waited=0
    until curl -s -o /dev/null http://127.0.0.1:8090/ready && curl -s -o /dev/null http://127.0.0.1:8080/; do
        kill -0 "$server" 2>/dev/null || fail "$(cat "$work/log")"
        [ "$waited" -lt "$START_MAX" ] || fail "the demo does not start"
        waited=$((waited + 1))
        sleep 1
    done
    sleep "$WARM"
    picture demo http://127.0.0.1:8080/ 800
    picture console http://127.0.0.1:8090/console 1000
    kill "$server"
    wait "$server" || :
    server=''
}

report() {
    "$root/tandem" lab run sessions --quick --against none --times 1,2,4 --out "$work/report" \
        >"$work/log" 2>&1 || fail "$(cat "$work/log")"
    picture report "file://$work/report/report.html" 1300
}

[ $# -gt 0 ] || set -- demo report
for part in "$@"; do
    case $part in
        demo | report) "$part" ;;
        *) fail "unknown picture $part" ;;
    esac
done
