# shellcheck shell=sh
# shellcheck disable=SC2154 # jdk and jdk_runtime come from bin/find-jdk.sh
# Sourced by ./tandem when there is no build, or an outdated one. Needs say, fail, root, work, log, part
# and launch of ./tandem, and bin/find-jdk.sh. `build` leaves in .tandem, for the part `product`:
#   lib/            every jar of the class path
#   lib/servlets/   Catalina and what it needs, on the class path of `run` and `demo` only
#   native/         BoringSSL, which would else be extracted at each start with TLS
#   stamp           has the time of the build's start: a newer source causes the next build
#   product.aot     the JDK's AOT cache (JEP 483, 514), made by a rehearsal; absent if that failed
#   launch-product  variables that ./tandem reads: jdk, built_runtime, built_root, class_path, aot
# and for the part `laboratory` in addition:
#   laboratory/     the jars that it has beyond the product's
#   apps/           the auction and specweb, unpacked, so that they start at once
#   stamp-laboratory, laboratory.aot, launch-laboratory
#   demo/           the auction's classes as a jar, and the jars that it has beyond the others'
# For the parts `servlets` and `laboratory_servlets`, which are the same with Catalina, and `demo`, the
# latter with the auction, it leaves only an AOT cache and a file of variables.
: "${root:?}" "${work:?}" "${log:?}" "${part:?}" "${launch:?}" "${jvm_flags:?}" "${training_flags:?}" "${LOCK_WAIT_MAX:?}"

build() {
    case $root in
        *[:\']*) fail "cannot run from $root: a colon or quote in the path breaks a class path" ;;
    esac
    jdk_find || fail "$(jdk_missing)"
    if ! { mkdir -p "$work" 2>/dev/null && [ -w "$work" ]; }; then
        "is_${part}_built" ||
            fail "cannot write to $work: build once as a user who can, by ./tandem --version" \
                "or, for the laboratory, ./tandem lab --help"
        # Installed by another user, and not yet started by one with write access to the cache.
        find_class_path
        aot=''
        return
    fi
    lock
    # Another process may have built while this one waited.
    if ! is_current; then
        jdk_find || fail "$(jdk_missing)"
        if [ -e "$log" ] && ! [ -w "$log" ]; then
            fail "cannot write to $log: another user has built here, who should remove $work" \
                "and the folders named target"
        fi
        : >"$log"
        touch "$work/stamp.new"
        "is_${part}_built" || "compile_$part"
        rehearse
    fi
    unlock
    # shellcheck source=/dev/null
    . "$launch"
}

# A link is created or rejected atomically, and its target names the owner's process.
lock() {
    lock_waited=0
    until ln -s "$$" "$work/lock" 2>/dev/null; do
        lock_owner=$(readlink "$work/lock") || continue
        if ! is_building "$lock_owner"; then
            take_lock_from "$lock_owner"
            continue
        fi
        [ "$lock_waited" -gt 0 ] || say "process $lock_owner is building; waiting for it"
        [ "$lock_waited" -lt "$LOCK_WAIT_MAX" ] ||
            fail "process $lock_owner has been building for $LOCK_WAIT_MAX s;" \
                "if it is not, remove $work/lock"
        sleep 1
        lock_waited=$((lock_waited + 1))
    done
    child=''
    trap unlock EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
}

# The lock may have been left by a process of the same number: in a container it is always 1. A process
# of another user cannot be sent signals, but exists.
is_building() {
    [ "$1" != "$$" ] && { kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ]; }
}

# Removes the lock of a process that was killed. By renaming, which succeeds for one of several that
# find this; what it has renamed may be the lock of another one that was faster, and is put back.
take_lock_from() {
    mv "$work/lock" "$work/lock.$$" 2>/dev/null || return 0
    lock_moved=$(readlink "$work/lock.$$")
    [ "$lock_moved" = "$1" ] || ln -s "$lock_moved" "$work/lock" 2>/dev/null
    rm -f "$work/lock.$$"
}

unlock() {
    trap - EXIT INT TERM HUP
    [ -z "$child" ] || kill "$child" 2>/dev/null
    rm -f "$work/lock"
}

need_maven() {
    command -v mvn >/dev/null 2>&1 ||
        fail "needs Maven 3.8 or newer to build: apt-get install maven, brew install maven," \
            "or https://maven.apache.org/download.cgi; then run this again"
}

compile_product() {
    need_maven
    say "building, with Maven and JDK $jdk_runtime (the first time takes a minute or two)"
    # A jar of another version would be taken, too.
    rm -rf "$work/lib.new" "$root"/app/cli/target/tandem-cli-*.jar
    package pom.xml app/cli "-Dtandem.lib=$work/lib.new"
    install_product
    say "built in $run_seconds s"
}

compile_servlets() {
    compile_product
}

compile_laboratory_servlets() {
    compile_laboratory
}

compile_demo() {
    compile_laboratory
}

# Together with the product, if that is not built either: in one Maven call, without installing artifacts.
compile_laboratory() {
    [ -r "$root/pom.xml" ] ||
        fail "this package has no sources, and the laboratory is built from them: use a clone"
    need_maven
    say "building the laboratory, which this command is the first to use, with Maven and" \
        "JDK $jdk_runtime (the first time takes a minute or two)"
    rm -rf "$work/lib.new" "$work/laboratory.new" "$work/apps.new" \
        "$root"/app/cli/target/tandem-cli-*.jar "$root"/lab/commands/target/tandem-lab-commands-*.jar \
        "$root"/lab/auction/target/tandem-auction-* "$root"/lab/specweb/target/tandem-specweb-*
    package all.pom.xml lab/commands,lab/auction,lab/specweb \
        "-Dtandem.lib=$work/lib.new" "-Dtandem.laboratory=$work/laboratory.new"
    touch -r "$work/stamp.new" "$work/stamp-laboratory.new"
    is_product_built || install_product
    install_laboratory
    say "built in $run_seconds s"
}

# package POM MODULES PROPERTY…
package() {
    package_pom=$1 package_modules=$2
    shift 2
    run "building" env JAVA_HOME="$jdk" mvn -B -ntp -f "$root/$package_pom" \
        -pl "$package_modules" -am package -Dmaven.test.skip=true \
        "-Dtandem.build=$(build_name)" "$@" || build_failed
}

# What --version says after the version: the commit, its day, and whether files differ from it.
build_name() {
    name=$(git -C "$root" log -1 --format='%h of %cs' 2>/dev/null) || return 0
    [ -z "$(git -C "$root" status --porcelain 2>/dev/null)" ] || name="$name, changed"
    printf ' (build %s)' "$name"
}

# Running servers keep the jars that they opened; only the names are removed.
install_product() {
    cp "$root"/app/cli/target/tandem-cli-*.jar "$work/lib.new/" || build_failed
    rm -rf "${work:?}/lib" "$work"/*.aot "$work"/launch-* "${work:?}/native"
    mv "$work/lib.new" "$work/lib" || build_failed
    extract_native
    mv "$work/stamp.new" "$work/stamp"
}

# The one for this machine is enough, but which one that is only the JVM decides. Without it, starts
# with TLS are only slower.
extract_native() {
    mkdir -p "$work/native.new" || return
    for jar in "$work"/lib/netty-tcnative-boringssl-static-*.jar; do
        (cd "$work/native.new" && "$jdk/bin/jar" -xf "$jar" META-INF/native) >>"$log" 2>&1
    done
    mv "$work/native.new/META-INF/native" "$work/native" 2>/dev/null
    rm -rf "$work/native.new"
}

install_laboratory() {
    cp "$root"/lab/commands/target/tandem-lab-commands-*.jar "$work/laboratory.new/" ||
        build_failed
    for jar in "$work/laboratory.new"/*.jar; do
        [ ! -e "$work/lib/${jar##*/}" ] || rm "$jar"
    done
    mkdir -p "$work/apps.new"
    for app in auction specweb; do
        for folder in "$root/lab/$app/target/tandem-$app"-*/; do
            cp -R "$folder" "$work/apps.new/$app" || build_failed
        done
    done
    rm -rf "${work:?}/laboratory" "${work:?}/apps" "${work:?}/demo" "${work:?}/lib.new" \
        "$work/stamp.new" "$work"/laboratory*.aot "$work"/launch-laboratory* "$work"/*demo*
    mv "$work/laboratory.new" "$work/laboratory" || build_failed
    mv "$work/apps.new" "$work/apps" || build_failed
    install_demo
    mv "$work/stamp-laboratory.new" "$work/stamp-laboratory"
}

# The JVM's cache has no classes of a web application's own loader: the demo finds the auction's on
# the class path.
install_demo() {
    mkdir -p "$work/demo"
    cp "$root/lab/auction/target/auction-classes.jar" "$work/demo/" || build_failed
    for jar in "$work/apps/auction/WEB-INF/lib"/*.jar; do
        name=${jar##*/}
        [ ! -e "$jar" ] || [ -e "$work/lib/$name" ] || [ -e "$work/laboratory/$name" ] ||
            cp "$jar" "$work/demo/" || build_failed
    done
}

build_failed() {
    # The compiler's warnings are errors in this build, but are not marked so.
    {
        grep -E '^\[ERROR\]|^\[WARNING\].*\.java:\[' "$log" || tail -n 20 "$log"
    } | sed '/-> \[Help/q' | head -n 20 >&2
    fail "the build failed; all of it is in $log"
}

find_class_path() {
    class_path=''
    # Classes are looked up in this order, and each jar is opened when the search reaches it.
    case $part in
        laboratory* | demo)
            set -- "$work"/laboratory/tandem-lab-commands-*.jar \
                "$work"/lib/tandem-net-epoll-*.jar "$work"/lib/*.jar "$work"/laboratory/*.jar
            ;;
        *) set -- "$work"/lib/tandem-net-epoll-*.jar "$work"/lib/*.jar ;;
    esac
    # Only commands that need Catalina have it on the class path: others would start more slowly.
    case $part in
        *servlets) set -- "$@" "$work"/lib/servlets/*.jar ;;
        demo) set -- "$@" "$work"/lib/servlets/*.jar "$work"/demo/*.jar ;;
    esac
    for jar in "$@"; do
        case :$class_path: in
            *":$jar:"*) ;; # named already
            *) class_path=${class_path:+$class_path:}$jar ;;
        esac
    done
}

# Runs the server once, with the flags of every later start but those for its compilers, so that the
# JVM records what it loaded and linked. If that fails, only starts are slower.
rehearse() {
    find_class_path
    aot=$work/$part.aot
    rm -f "$aot"
    # A supervisor would take what the rehearsal reports for the news of the server.
    # shellcheck disable=SC2086
    if run "preparing the AOT cache" env -u NOTIFY_SOCKET "$jdk/bin/java" $jvm_flags $training_flags \
        "-XX:AOTCacheOutput=$aot.new" -Dtandem.terminal=false \
        "-Dtandem.home=$root" "-Dtandem.native=$work/native" \
        -cp "$class_path" dev.tandem.cli.Main rehearse "$part" && [ -e "$aot.new" ]; then
        mv "$aot.new" "$aot"
    else
        rm -f "$aot.new" # some 40 MB, and perhaps what filled the disk
        aot=''
    fi
    if [ -z "$aot" ]; then
        say "no AOT cache could be made (see $log): starts will be slower"
    fi
    jdk_read "$jdk"
    if ! printf "jdk='%s'\nbuilt_runtime='%s'\nbuilt_root='%s'\nclass_path='%s'\naot='%s'\n" \
        "$jdk" "$jdk_runtime" "$root" "$class_path" "$aot" >"$launch.new" 2>/dev/null ||
        ! mv "$launch.new" "$launch"; then
        rm -f "$launch.new" # a part of it would be an error of each start
        fail "cannot write $launch: is its file system full?"
    fi
}

# run LABEL COMMAND…: output goes to the log; a terminal shows a progress line.
run() {
    run_label=$1
    shift
    run_started=$(date +%s)
    "$@" >>"$log" 2>&1 </dev/null &
    child=$!
    if [ -t 2 ]; then
        watch_child
    fi
    wait "$child"
    run_status=$?
    child=''
    run_seconds=$(($(date +%s) - run_started))
    return "$run_status"
}

watch_child() {
    while kill -0 "$child" 2>/dev/null; do
        for frame in '|' '/' '-' "\\"; do
            run_module=$(sed -n 's/^\[INFO\] Building Tandem: \([^,]*\).*\(\[.*\]\)$/\1 \2/p' \
                "$log" | tail -n 1)
            printf '\r\033[K%s %s %s (%d s)' "$frame" "$run_label" "$run_module" \
                $(($(date +%s) - run_started)) >&2
            sleep 0.2 2>/dev/null || sleep 1
            kill -0 "$child" 2>/dev/null || break
        done
    done
    printf '\r\033[K' >&2
}
