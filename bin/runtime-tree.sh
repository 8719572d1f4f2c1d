# shellcheck shell=sh
# shellcheck disable=SC2154 # root and jdk come from the script that sources this
# Sourced by bin/image.sh and bin/deb.sh: makes a folder that is a whole system with Tandem in it, and
# runs it there. Needs say, fail, and bin/find-jdk.sh. `tree_make` leaves in $tree
#   a root with Debian's C library and shell
#   /usr/lib/tandem/runtime             a Java runtime of only the modules that are needed (jlink)
#   /usr/lib/tandem/{lib,native}        the server, without what is for other processors
#   /usr/lib/tandem/*.aot, *.arguments  an AOT cache and the JVM's arguments for each kind of command
# and in $work what is temporary. Both end with the script.

# Of the server, of Catalina (`tandem run`) and of usual applications: databases, XML, images.
MODULES=java.base,java.logging,java.management,java.naming,java.sql,java.desktop,java.instrument
MODULES=$MODULES,java.rmi,java.security.jgss,java.security.sasl,java.xml,java.net.http
MODULES=$MODULES,jdk.unsupported,jdk.jfr,jdk.management,jdk.zipfs,jdk.jcmd

DEBIAN=trixie
START_MAX=200 # tenths of a second until a test gives up

server=''

tree_need() {
    [ "$(id -u)" = 0 ] || fail "needs root, or a user namespace with it"
    for tool in "$@" mmdebstrap unshare chroot curl; do
        command -v "$tool" >/dev/null || fail "needs $tool: apt-get install $tool"
    done
    # shellcheck source=bin/find-jdk.sh
    . "$root/bin/find-jdk.sh"
    jdk_find || fail "$(jdk_missing)"
    work=$(mktemp -d)
    tree=$work/tree
    home=$tree/usr/lib/tandem
    trap tree_end EXIT
    trap 'exit 1' INT TERM
}

tree_end() {
    [ -z "$server" ] || stop_server || :
    rm -rf "$work"
}

# unshare itself ignores the signal: its child has it.
# shellcheck disable=SC2034 # stopped is for the script that waits for it
stop_server() {
    child=''
    read -r child <"/proc/$server/task/$server/children" || [ -n "$child" ]
    kill "$child"
    stopped=$server server=''
}

# inside TREE USER:GROUP COMMAND…: becomes it, in TREE, with /proc and a /tmp of its own. All that it
# started ends with it. Only root may write to the tree.
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
        exec chroot --userspec="$user" "$tree" "$@"' sh "$@"
}

# await_file URL TEXT: until the server that logs to $work/log responds with it.
await_file() {
    tries=0
    until [ "$(curl -s "$1" || :)" = "$2" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt "$START_MAX" ] || {
            cat "$work/log" >&2
            fail "it does not serve a file"
        }
        sleep 0.1
    done
}

tree_make() {
    say "building the server"
    "$root/tandem" --version >/dev/null

    say "the root: Debian $DEBIAN's C library and shell"
    mmdebstrap --quiet --variant=extract --include=base-files,dash,libc6 "$DEBIAN" "$tree"
    rm -rf "$tree"/usr/lib/*/gconv "$tree"/usr/share/man "$tree"/usr/share/locale \
        "$tree"/usr/share/lintian "$tree"/var/cache/* "$tree"/var/lib/* "$tree"/var/log/*
    mkdir -p "$home" "$tree/etc/tandem" "$tree/srv/www" "$tree/usr/bin" "$tree/tmp"
    [ -e "$tree/usr/bin/sh" ] || [ -e "$tree/bin/sh" ] || ln -s dash "$tree/usr/bin/sh"

    say "the Java runtime"
    "$jdk/bin/jlink" --add-modules "$MODULES" --strip-debug --no-header-files --no-man-pages \
        --compress zip-6 --output "$home/runtime" >&2

    say "the server"
    cp -R "$root/.tandem/lib" "$home/"
    case $(uname -m) in
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

    # The JVM uses a cache only with jars of the same path, size and time.
    find "$home" -exec touch -h -d "@$(build_time)" {} +
    flags=$(launcher_flags jvm_flags)
    arguments "$(class_path)" >"$home/product.arguments"
    arguments "$(class_path "$home"/lib/servlets/*.jar)" >"$home/servlets.arguments"
    chown -R 0:0 "$home"
    for part in product servlets; do
        say "the AOT cache: $part"
        (inside "$tree" 0:0 /usr/lib/tandem/runtime/bin/java "@/usr/lib/tandem/$part.arguments" \
            "$(launcher_flags training_flags)" \
            "-XX:AOTCacheOutput=/usr/lib/tandem/$part.aot" dev.tandem.cli.Main rehearse "$part" \
            >"$work/log" 2>&1) || {
            cat "$work/log" >&2
            fail "the rehearsal of $part failed"
        }
        [ -e "$home/$part.aot" ] || fail "the rehearsal of $part left no cache"
        printf '%s\n' "$(launcher_flags compile_flags)" >>"$home/$part.arguments"
    done
    for word in bookstore auction specweb h2-2 postgresql mariadb tandem-lab tandem-load; do
        found=$(find "$tree" -iname "*$word*" | head -n 1)
        [ -z "$found" ] || fail "the tree contains $found, which is the laboratory's"
    done
}

# launcher_flags NAME: the value of a variable of ./tandem.
launcher_flags() {
    sed -n "s/^$1='\(.*\)'/\1/p" "$root/tandem"
}

build_time() {
    git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0
}

class_path() {
    for jar in "$home"/lib/tandem-net-epoll-*.jar "$home"/lib/*.jar "$@"; do
        printf '%s\n' "${jar#"$tree"}"
    done | awk '!seen[$0]++ { printf "%s%s", separator, $0; separator = ":" }'
}

arguments() {
    printf '%s\n' "$flags" --enable-native-access=ALL-UNNAMED -Dtandem.home=/usr/lib/tandem \
        -Dtandem.native=/usr/lib/tandem/native -cp "$1"
}

# The version of the product, such as 0.2.0-SNAPSHOT.
product_version() {
    "$root/tandem" --version | sed -n 's/^tandem \([^ ]*\).*/\1/p'
}
