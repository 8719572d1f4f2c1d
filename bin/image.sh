#!/bin/sh
# Builds the container image: a Java runtime of only the modules that are needed, the server, its AOT
# caches, the GNU C library and a shell, and nothing else. Needs no container engine, but root (or
# a user namespace with it), buildah and mmdebstrap, and a Debian mirror.
#
#   bin/image.sh [FILE]      by default target/tandem-image.tar, an OCI archive, which
#                            `podman load -i FILE` and `docker load -i FILE` read
#
# Before it writes FILE it runs the image: as its user and on a read-only root, it must serve a file
# with its AOT cache, and it must contain nothing of the laboratory.
set -eu

# Of the server, of Catalina (`tandem run`) and of usual applications: databases, XML, images.
MODULES=java.base,java.logging,java.management,java.naming,java.sql,java.desktop,java.instrument
MODULES=$MODULES,java.rmi,java.security.jgss,java.security.sasl,java.xml,java.net.http
MODULES=$MODULES,jdk.unsupported,jdk.jfr,jdk.management,jdk.zipfs,jdk.jcmd

DEBIAN=trixie
USER_ID=10001
PORT_OF_TEST=18080
START_MAX=200 # tenths of a second until the test gives up

root=$(cd "$(dirname "$0")/.." && pwd)
file=${1:-$root/target/tandem-image.tar}
name=tandem

say() {
    printf 'image: %s\n' "$*" >&2
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
    -*) fail "unknown option $1; bin/image.sh --help" ;;
esac
[ "$(id -u)" = 0 ] || fail "needs root: sudo bin/image.sh, or buildah unshare bin/image.sh"
for tool in buildah mmdebstrap unshare chroot; do
    command -v "$tool" >/dev/null || fail "needs $tool: apt-get install buildah mmdebstrap"
done
# shellcheck source=bin/find-jdk.sh
. "$root/bin/find-jdk.sh"
jdk_find || fail "$(jdk_missing)"

work=$(mktemp -d)
container='' server=''

# unshare itself ignores the signal: its child has it.
stop_server() {
    child=''
    read -r child <"/proc/$server/task/$server/children" || [ -n "$child" ]
    kill "$child"
    stopped=$server server=''
}

end() {
    [ -z "$server" ] || stop_server || :
    [ -z "$container" ] || buildah rm "$container" >/dev/null 2>&1 || :
    rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM
tree=$work/tree
home=$tree/usr/lib/tandem

# inside USER:GROUP COMMAND…: becomes it, on the tree, with /proc and a /tmp of its own. All that it
# started ends with it.
inside() {
    # shellcheck disable=SC2016 # its variables are those of the inner shell
    exec unshare --mount --pid --fork --kill-child sh -eu -c '
        tree=$1 user=$2
        shift 2
        mount --bind "$tree" "$tree"
        mount -t proc proc "$tree/proc"
        mount -t tmpfs tmpfs "$tree/tmp"
        mount --bind /dev "$tree/dev"
        [ "$user" = 0:0 ] || mount -o remount,bind,ro "$tree"
        exec chroot --userspec="$user" "$tree" "$@"' sh "$tree" "$@"
}

say "building the server"
"$root/tandem" --version >/dev/null

say "the root: Debian $DEBIAN's C library and shell"
mmdebstrap --quiet --variant=extract --include=base-files,dash,libc6 "$DEBIAN" "$tree"
rm -rf "$tree"/usr/lib/*/gconv "$tree"/usr/share/man "$tree"/usr/share/locale \
    "$tree"/usr/share/lintian "$tree"/var/cache/* "$tree"/var/lib/* "$tree"/var/log/*
mkdir -p "$home" "$tree/etc/tandem" "$tree/srv/www" "$tree/usr/bin" "$tree/tmp"
[ -e "$tree/usr/bin/sh" ] || [ -e "$tree/bin/sh" ] || ln -s dash "$tree/usr/bin/sh"
printf 'root:x:0:0:root:/:/bin/sh\ntandem:x:%s:%s::/srv:/bin/sh\n' "$USER_ID" "$USER_ID" \
    >"$tree/etc/passwd"
printf 'root:x:0:\ntandem:x:%s:\n' "$USER_ID" >"$tree/etc/group"

say "the Java runtime"
"$jdk/bin/jlink" --add-modules "$MODULES" --strip-debug --no-header-files --no-man-pages \
    --compress zip-6 --output "$home/runtime" >&2

say "the server"
cp -R "$root/.tandem/lib" "$home/"
machine=$(uname -m)
case $machine in
    aarch64) other=x86_64 ;;
    *) other=aarch_64 ;;
esac
rm -f "$home"/lib/netty-tcnative-boringssl-static-*-linux-"$other".jar
mkdir "$home/native"
for library in "$root"/.tandem/native/*; do
    case $library in
        *"$other"*) ;;
        *) cp "$library" "$home/native/" ;;
    esac
done
cp "$root/app/packaging/container.toml" "$tree/etc/tandem/tandem.toml"
install -m 755 "$root/app/packaging/container-tandem" "$tree/usr/bin/tandem"

# The JVM uses a cache only with jars of the same path, size and time.
find "$home" -exec touch -h -d "@$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)" {} +
flags=$(sed -n "s/^jvm_flags='\(.*\)'/\1/p" "$root/tandem")
class_path() {
    for jar in "$home"/lib/tandem-net-epoll-*.jar "$home"/lib/*.jar "$@"; do
        printf '%s\n' "${jar#"$tree"}"
    done | awk '!seen[$0]++ { printf "%s%s", separator, $0; separator = ":" }'
}
arguments() {
    printf '%s\n' "$flags" --enable-native-access=ALL-UNNAMED -Dtandem.home=/usr/lib/tandem \
        -Dtandem.native=/usr/lib/tandem/native -cp "$1"
}
arguments "$(class_path)" >"$home/product.arguments"
arguments "$(class_path "$home"/lib/servlets/*.jar)" >"$home/servlets.arguments"
chown -R 0:0 "$home"

for part in product servlets; do
    say "the AOT cache: $part"
    (inside 0:0 /usr/lib/tandem/runtime/bin/java "@/usr/lib/tandem/$part.arguments" \
        "-XX:AOTCacheOutput=/usr/lib/tandem/$part.aot" dev.tandem.cli.Main rehearse "$part" \
        >"$work/log" 2>&1) || {
        cat "$work/log" >&2
        fail "the rehearsal of $part failed"
    }
    [ -e "$home/$part.aot" ] || fail "the rehearsal of $part left no cache"
done

say "trying it, as user $USER_ID on a read-only root"
for word in bookstore auction specweb h2-2 postgresql mariadb tandem-lab tandem-load; do
    found=$(find "$tree" -iname "*$word*" | head -n 1)
    [ -z "$found" ] || fail "the image contains $found, which is the laboratory's"
done
echo 'it works' >"$tree/srv/www/index.html"
PORT=$PORT_OF_TEST inside "$USER_ID:$USER_ID" /usr/bin/tandem serve --config \
    /etc/tandem/tandem.toml >"$work/log" 2>&1 &
server=$!
tries=0
until [ "$(curl -s "http://127.0.0.1:$PORT_OF_TEST/" || :)" = 'it works' ]; do
    tries=$((tries + 1))
    [ "$tries" -lt "$START_MAX" ] || {
        cat "$work/log" >&2
        fail "it does not serve a file"
    }
    sleep 0.1
done
stop_server
wait "$stopped" || fail "it does not end in order"
rm "$tree/srv/www/index.html"
(inside "$USER_ID:$USER_ID" /usr/lib/tandem/runtime/bin/java @/usr/lib/tandem/product.arguments \
    -XX:AOTMode=on -XX:AOTCache=/usr/lib/tandem/product.aot dev.tandem.cli.Main --version >&2) ||
    fail "the AOT cache does not fit"

say "the image"
container=$(buildah from scratch)
buildah copy -q "$container" "$tree" / >/dev/null
buildah config --user "$USER_ID" --port 8080 --workingdir /srv --stop-signal SIGTERM \
    --entrypoint '["/usr/bin/tandem"]' --cmd 'serve --config /etc/tandem/tandem.toml' "$container"
buildah commit -q "$container" "$name" >/dev/null
mkdir -p "$(dirname "$file")"
rm -f "$file"
buildah push -q "$name" "oci-archive:$file:$name:latest"
say "$file: $(du -m "$file" | cut -f 1) MB; unpacked $(du -sm "$tree" | cut -f 1) MB"
