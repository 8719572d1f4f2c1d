#!/bin/sh
# Makes a Debian package of the server with a Java runtime of its own, so that it depends on nothing
# but the C library: /usr/bin/tandem, /etc/tandem/tandem.toml, the systemd unit and socket, logrotate.
# Needs root, dpkg-deb, mmdebstrap, and a Debian mirror.
#
#   bin/deb.sh [FILE]        by default target/tandem_VERSION_ARCHITECTURE.deb
#
# Then installs FILE in a new, minimal Debian, checks the unit with systemd's own tool, runs what the unit
# runs as its user, with its one capability, at port 80 of a network of its own, reloads it, and purges
# the package.
set -eu

# shellcheck source=bin/script.sh
. "$(dirname "$0")/script.sh"

# shellcheck source=bin/runtime-tree.sh
. "$root/bin/runtime-tree.sh"
tree_need dpkg-deb ip
tree_make

# A version before the release sorts before it: 0.2.0~SNAPSHOT.
version=$(product_version | tr - '~')
architecture=$(dpkg --print-architecture)
file=${1:-$root/target/tandem_${version}_$architecture.deb}
packaging=$root/app/packaging
package=$work/package

say "the package"
mkdir -p "$package/DEBIAN" "$package/usr/lib" "$package/usr/bin" "$package/etc/tandem" \
    "$package/etc/logrotate.d" "$package/usr/lib/systemd/system" "$package/usr/share/doc/tandem"
cp -a "$home" "$package/usr/lib/tandem"
install -m 755 "$packaging/container-tandem" "$package/usr/lib/tandem/tandem"
ln -s ../lib/tandem/tandem "$package/usr/bin/tandem"
install -m 644 "$packaging/tandem.toml" "$package/etc/tandem/tandem.toml"
install -m 644 "$packaging/tandem.logrotate" "$package/etc/logrotate.d/tandem"
install -m 644 "$packaging/tandem.service" "$packaging/tandem.socket" \
    "$package/usr/lib/systemd/system/"
install -m 644 "$root/docs/operations.md" "$package/usr/share/doc/tandem/"
install -m 644 "$root/LICENSE" "$package/usr/share/doc/tandem/copyright"
printf '%s\n' /etc/tandem/tandem.toml /etc/logrotate.d/tandem >"$package/DEBIAN/conffiles"
cat >"$package/DEBIAN/control" <<END
Package: tandem
Version: $version
Architecture: $architecture
Maintainer: The developers of Tandem <developers@tandem.dev>
Installed-Size: $(du -sk "$package" | cut -f 1)
Depends: libc6 (>= 2.36), passwd
Recommends: logrotate
Section: httpd
Priority: optional
Homepage: https://tandem.dev
Description: hybrid web server for the JVM
 Events hold the connections, threads run the requests: serves files, sites,
 servlet applications, CGI and FastCGI programs, and proxies, with admission
 that completes sessions under overload. Contains its own Java runtime.
END
cat >"$package/DEBIAN/postinst" <<'END'
#!/bin/sh
set -e

# With the environment and the user of the running server, since its file may name variables and
# files of these. Succeeds if the unit's command is another, or nothing runs. Problems are printed;
# that the addresses are in use, by that server, is none.
would_start() {
    pid=$(systemctl show --property MainPID --value tandem.service)
    case $(systemctl show --property ExecStart --value tandem.service) in
        *'/usr/lib/tandem/tandem serve --config /etc/tandem/tandem.toml '*) ;;
        *) return 0 ;;
    esac
    [ "$pid" -gt 0 ] || return 0
    xargs -0 -a "/proc/$pid/environ" sh -c \
        'exec runuser -u tandem -- env -i "$@" /usr/lib/tandem/tandem check /etc/tandem/tandem.toml' sh >/dev/null
}

if [ "$1" = configure ]; then
    getent passwd tandem >/dev/null ||
        useradd --system --user-group --home-dir /srv --no-create-home --shell /usr/sbin/nologin tandem
    mkdir -p /srv/www
    if [ -d /run/systemd/system ]; then
        systemctl daemon-reload
        # An upgrade replaces the running server, unless it would not start with its file; a first
        # installation leaves the start to its user.
        if [ -n "$2" ] && would_start; then
            systemctl try-restart tandem.service
        elif [ -n "$2" ]; then
            echo "tandem: the server of before runs on; mend /etc/tandem/tandem.toml, then: systemctl restart tandem" >&2
        fi
    fi
fi
END
cat >"$package/DEBIAN/prerm" <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl disable --now tandem.service tandem.socket || :
fi
END
cat >"$package/DEBIAN/postrm" <<'END'
#!/bin/sh
set -e
if [ "$1" = purge ]; then
    rm -rf /etc/tandem /var/log/tandem /var/lib/tandem
    getent passwd tandem >/dev/null && userdel tandem || :
fi
[ ! -d /run/systemd/system ] || systemctl daemon-reload || :
END
chmod 755 "$package/DEBIAN/postinst" "$package/DEBIAN/prerm" "$package/DEBIAN/postrm"
mkdir -p "$(dirname "$file")"
SOURCE_DATE_EPOCH=$(build_time) dpkg-deb --root-owner-group -Zzstd -z10 --build "$package" "$file" >/dev/null

say "a new Debian $DEBIAN, with systemd's tools"
debian=$work/debian
mmdebstrap --quiet --variant=minbase --include=systemd,iproute2,curl,ca-certificates "$DEBIAN" "$debian"
cp "$file" "$debian/tandem.deb"

# shellcheck disable=SC2016 # its variables are those of the inner shell
cat >"$debian/try" <<'END'
#!/bin/sh
set -eu
dpkg -i /tandem.deb >/dev/null
tandem --version
systemd-analyze verify /usr/lib/systemd/system/tandem.service
tandem check /etc/tandem/tandem.toml
ip link set lo up
echo 'it works' >/srv/www/index.html
mkdir -p /run/tandem /var/log/tandem /var/lib/tandem
chown tandem: /run/tandem /var/log/tandem /var/lib/tandem
# What the unit runs, with its user and its one capability.
start=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/tandem.service)
reload=$(sed -n 's/^ExecReload=//p' /usr/lib/systemd/system/tandem.service)
as_tandem() {
    exec setpriv --reuid tandem --regid tandem --clear-groups --no-new-privs \
        --inh-caps=-all,+net_bind_service --ambient-caps=-all,+net_bind_service \
        --bounding-set=-all,+net_bind_service "$@"
}
# shellcheck disable=SC2086
as_tandem $start >/log 2>&1 &
server=$!
tries=0
until [ "$(curl -s http://127.0.0.1/ || :)" = 'it works' ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 200 ] || { cat /log; exit 1; }
    sleep 0.1
done
[ "$(curl -s http://127.0.0.1:8090/ready)" = ready ]
# shellcheck disable=SC2086
(as_tandem $reload)
echo 'nonsense = 1' >>/etc/tandem/tandem.toml
# shellcheck disable=SC2086
if (as_tandem $reload) 2>/dev/null; then
    echo 'a file with a problem was accepted'
    exit 1
fi
[ "$(curl -s http://127.0.0.1/)" = 'it works' ]
kill "$server"
wait "$server"
dpkg --purge tandem >/dev/null
for left in /usr/lib/tandem /usr/bin/tandem /etc/tandem /var/log/tandem; do
    [ ! -e "$left" ] || { echo "$left is left behind"; exit 1; }
done
if getent passwd tandem; then
    echo 'the user is left behind'
    exit 1
fi
END
chmod 755 "$debian/try"
say "trying it there"
(unshare --net true) 2>/dev/null || fail "needs a network namespace for the test"
# shellcheck disable=SC2016 # as above
unshare --net --mount --pid --fork --kill-child sh -eu -c '
    mount -t proc proc "$1/proc"
    mount --bind /dev "$1/dev"
    mount -t tmpfs tmpfs "$1/tmp"
    mount -t sysfs sysfs "$1/sys"
    exec chroot "$1" /try' sh "$debian" >&2 || fail "the package does not work there"
say "$file: $(du -m "$file" | cut -f 1) MB; installed $(du -sm "$package" | cut -f 1) MB"
