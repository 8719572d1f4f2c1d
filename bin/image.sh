#!/bin/sh
# Builds the container image: a Java runtime of only the modules that are needed, the server, its AOT
# caches, the GNU C library and a shell, and nothing else. Needs no container engine, but root (or
# a user namespace with it), buildah and mmdebstrap, and a Debian mirror.
#
#   bin/image.sh [FILE]      by default target/tandem-image.tar, an OCI archive, which
#                            `podman load -i FILE` and `docker load -i FILE` read
#
# Before it writes FILE it runs the image: as its user and on a read-only root, it must serve a file
# with its AOT cache and create a certificate, and it must contain nothing of the laboratory. FILE may
# not be larger than 120 MB.
set -eu

USER_ID=10001
PORT_OF_TEST=18080
SIZE_MAX=120 # MB

# shellcheck source=bin/script.sh
. "$(dirname "$0")/script.sh"
file=${1:-$root/target/tandem-image.tar}
name=tandem
container=''

# shellcheck source=bin/runtime-tree.sh
. "$root/bin/runtime-tree.sh"

end() {
    [ -z "$container" ] || buildah rm "$container" >/dev/null 2>&1 || :
    tree_end
}
tree_need buildah
trap end EXIT
tree_make
printf 'root:x:0:0:root:/:/bin/sh\ntandem:x:%s:%s::/srv:/bin/sh\n' "$USER_ID" "$USER_ID" \
    >"$tree/etc/passwd"
printf 'root:x:0:\ntandem:x:%s:\n' "$USER_ID" >"$tree/etc/group"
cp "$root/app/packaging/container.toml" "$tree/etc/tandem/tandem.toml"
install -m 755 "$root/app/packaging/container-tandem" "$tree/usr/bin/tandem"

say "trying it, as user $USER_ID on a read-only root"
echo 'it works' >"$tree/srv/www/index.html"
PORT=$PORT_OF_TEST inside "$tree" "$USER_ID:$USER_ID" /usr/bin/tandem serve --config \
    /etc/tandem/tandem.toml >"$work/log" 2>&1 &
server=$!
await_file "http://127.0.0.1:$PORT_OF_TEST/" 'it works'
stop_server
wait "$stopped" || fail "it does not end in order"
rm "$tree/srv/www/index.html"
(inside "$tree" "$USER_ID:$USER_ID" /usr/bin/tandem cert --out /tmp/cert >&2) ||
    fail "it creates no certificate"
(inside "$tree" "$USER_ID:$USER_ID" /usr/lib/tandem/runtime/bin/java \
    @/usr/lib/tandem/product.arguments -XX:AOTMode=on -XX:AOTCache=/usr/lib/tandem/product.aot \
    dev.tandem.cli.Main --version >&2) || fail "the AOT cache does not fit"

say "the image"
container=$(buildah from scratch)
buildah copy -q "$container" "$tree" / >/dev/null
buildah config --user "$USER_ID" --port 8080 --workingdir /srv --stop-signal SIGTERM \
    --entrypoint '["/usr/bin/tandem"]' --cmd 'serve --config /etc/tandem/tandem.toml' "$container"
buildah commit -q "$container" "$name" >/dev/null
mkdir -p "$(dirname "$file")"
rm -f "$file"
buildah push -q "$name" "oci-archive:$file:$name:latest"
size=$(du -m "$file" | cut -f 1)
say "$file: $size MB; unpacked $(du -sm "$tree" | cut -f 1) MB"
[ "$size" -le "$SIZE_MAX" ] || fail "that is more than $SIZE_MAX MB"
