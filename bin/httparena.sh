#!/bin/sh
# Runs HttpArena's own validation on the entries of app/packaging/httparena, without a container engine: what
# it calls `docker` builds an entry by Maven, or takes this build's command, and runs it in a mount
# namespace with the same folders. Needs root, Linux, Python and a JDK; ports 8080, 8081 and 8443 must be free. The
# artifacts must be in the local Maven repository (docs/releasing.md).
#
#   bin/httparena.sh CHECKOUT [ENTRY…]     CHECKOUT of github.com/MDA2AV/HttpArena
#
# TANDEM_MAVEN_REPOSITORY names another local repository than Maven's default.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
[ -r "${1:-}/scripts/validate.sh" ] || {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
arena=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- tandem tandem-serve
[ "$(id -u)" = 0 ] || {
    echo "httparena: needs root, for mounts" >&2
    exit 1
}
# shellcheck source=bin/find-jdk.sh
. "$root/bin/find-jdk.sh"
jdk_find || {
    jdk_missing >&2
    exit 1
}
"$root/tandem" --version >/dev/null
work=$(mktemp -d)
mkdir -p "$work/bin" /data /certs
trap 'rm -rf "$work"; rmdir /data /certs 2>/dev/null || :' EXIT
trap 'exit 1' INT TERM

# Of docker's commands those that validate.sh needs: build, run -d and rm -f.
cat >"$work/bin/docker" <<'END'
#!/bin/sh
set -eu
command=$1
shift
case $command in
    build)
        for folder in "$@"; do :; done
        [ ! -e "$folder/pom.xml" ] || mvn -q -ntp ${REPOSITORY:+-Dmaven.repo.local=$REPOSITORY} \
            -f "$folder/pom.xml" "-Dtandem.version=$VERSION" clean package
        ;;
    run)
        name='' volumes=''
        while [ $# -gt 1 ]; do
            case $1 in
                --name) name=$2 && shift ;;
                -v) volumes="$volumes $2" && shift ;;
                -p | -e | --network | --security-opt | --ulimit) shift ;;
            esac
            shift
        done
        entry=$ARENA/frameworks/${1#httparena-}
        if [ -e "$entry/pom.xml" ]; then
            server="$JDK/bin/java --enable-native-access=ALL-UNNAMED"
            server="$server -cp $entry/target/arena.jar:$entry/target/lib/* arena.Main"
        else
            server="$TANDEM serve --config $entry/tandem.toml"
        fi
        # shellcheck disable=SC2016 # its variables are those of the inner shell
        setsid unshare --mount sh -eu -c '
            mount -t tmpfs tmpfs /data
            for volume in $1; do
                from=${volume%%:*} to=${volume#*:}
                to=${to%:ro}
                if [ -d "$from" ]; then mkdir -p "$to"; else : >"$to"; fi
                mount --bind "$from" "$to"
            done
            set -f
            exec $2' sh "$volumes" "$server" >"$LOG" 2>&1 &
        echo $! >"$STATE/$name"
        ;;
    rm)
        for name in "$@"; do :; done
        [ -r "$STATE/$name" ] || exit 0
        read -r id <"$STATE/$name"
        kill "$id" 2>/dev/null || :
        rm "$STATE/$name"
        ;;
    *) exit 1 ;;
esac
END
chmod 755 "$work/bin/docker"
mkdir "$work/state"
version=$("$root/tandem" --version | sed -n 's/^tandem \([^ ]*\).*/\1/p')
status=0
for entry in "$@"; do
    rm -rf "$arena/frameworks/$entry"
    cp -R "$root/app/packaging/httparena/$entry" "$arena/frameworks/"
    (cd "$arena" && PATH=$work/bin:$PATH ARENA=$arena JDK=$jdk JAVA_HOME=$jdk TANDEM=$root/tandem \
        VERSION=$version STATE=$work/state LOG=$work/log REPOSITORY=${TANDEM_MAVEN_REPOSITORY:-} \
        bash scripts/validate.sh "$entry") || {
        status=1
        cat "$work/log" >&2
    }
done
exit "$status"
