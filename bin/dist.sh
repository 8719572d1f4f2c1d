#!/bin/sh
# Makes the archives of the server: the launcher, its jars, documents and examples, to be unpacked
# anywhere; they need a JDK 25 or newer, and no Maven. Nothing of the laboratory is in them.
#
#   bin/dist.sh [FOLDER]     by default target/dist: tandem-VERSION.tar.gz and tandem-VERSION.zip
#
# Then unpacks each in another folder, without Maven on the PATH, where --version must work, a file be
# served, and `lab` say that it is not there.
set -eu

START_MAX=200 # tenths of a second until the test gives up

# shellcheck source=bin/script.sh
. "$(dirname "$0")/script.sh"
output=${1:-$root/target/dist}

for tool in tar gzip zip unzip curl; do
    command -v "$tool" >/dev/null || fail "needs $tool"
done
mkdir -p "$output"
output=$(cd "$output" && pwd)
work=$(mktemp -d)
server=''
end() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || :
    rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM

say "building the server"
"$root/tandem" --version >"$work/version"
version=$(sed -n 's/^tandem \([^ ]*\).*/\1/p' "$work/version")
name=tandem-$version
tree=$work/$name
mkdir -p "$tree/bin" "$tree/.tandem" "$tree/share"
cp "$root/tandem" "$root/LICENSE" "$root"/*.md "$tree/"
cp "$root/bin/build.sh" "$root/bin/find-jdk.sh" "$tree/bin/"
cp -R "$root/.tandem/lib" "$root/.tandem/native" "$root/.tandem/stamp" "$tree/.tandem/"
cp -R "$root/docs" "$root/examples" "$tree/"
cp "$root"/app/packaging/tandem.* "$tree/share/"
find "$tree" -name target -prune -exec rm -rf {} +

# The same bytes from the same commit.
time=$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)
find "$tree" -exec touch -h -d "@$time" {} +
say "the archives"
(cd "$work" && tar --sort=name --owner=0 --group=0 --numeric-owner --format=gnu -cf - "$name" |
    gzip -9n) >"$output/$name.tar.gz"
rm -f "$output/$name.zip"
(cd "$work" && find "$name" | LC_ALL=C sort | TZ=UTC zip -9qX "$output/$name.zip" -@)

# Commands of the system, but no Maven.
mkdir "$work/path"
for tool in sh find sed ln readlink rm mv mkdir touch date dirname kill sleep uname cat cp jar env tail; do
    place=$(command -v "$tool") && ln -s "$place" "$work/path/$tool"
done

# try ARCHIVE COMMAND…: unpacks it by COMMAND into a folder of its own, and uses it.
try() {
    say "trying $1"
    folder=$work/$2-tried
    mkdir "$folder"
    archive=$1
    shift
    (cd "$folder" && "$@" "$output/$archive") >/dev/null
    tandem=$folder/$name/tandem
    PATH=$work/path "$tandem" --version >"$work/tried"
    cmp -s "$work/version" "$work/tried" || {
        cat "$work/tried" >&2
        fail "--version of $archive is another"
    }
    cat "$work/tried" >&2
    mkdir "$folder/site"
    echo 'it works' >"$folder/site/index.html"
    : >"$folder/log"
    PATH=$work/path "$tandem" serve "$folder/site" --listen 127.0.0.1:0 >"$folder/log" 2>&1 &
    server=$!
    tries=0
    until url=$(sed -n 's/^tandem: \(http:[^ ]*\) serves.*/\1/p' "$folder/log") && [ -n "$url" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt "$START_MAX" ] || fail "$(cat "$folder/log")"
        sleep 0.1
    done
    [ "$(curl -s "$url")" = 'it works' ] || fail "it does not serve a file"
    kill "$server"
    # 143: the signal came before the process had its handler.
    wait "$server" || [ $? = 143 ] || fail "it does not end in order"
    server=''
    if PATH=$work/path "$tandem" lab list >"$folder/log" 2>&1; then
        fail "$archive contains the laboratory"
    fi
    grep -q 'no sources' "$folder/log" || fail "lab: $(cat "$folder/log")"
}
try "$name.tar.gz" tar -xzf
try "$name.zip" unzip -q
for archive in "$name.tar.gz" "$name.zip"; do
    say "$output/$archive: $(du -m "$output/$archive" | cut -f 1) MB"
done
