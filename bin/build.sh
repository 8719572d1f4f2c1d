# shellcheck shell=sh
# shellcheck disable=SC2154 # jdk and jdk_runtime come from bin/find-jdk.sh
# Sourced by ./tandem when there is no build, or an old one. Needs say, fail, root, work and log of
# ./tandem, and bin/find-jdk.sh. `build` leaves in .tandem:
#   lib/        every jar of the class path
#   tandem.aot  the JDK's AOT cache (JEP 483, 514), made by a rehearsal; absent if that failed
#   lib/servlets/  Catalina and what it needs, on the class path of `run` and `demo` only
#   apps/       the auction and specweb, unpacked, for `tandem demo` and `lab run dynamic` and the
#               like; by `build_apps`, when one is asked for
#   stamp       as old as the start of the build: a source that is newer makes the next build
#   launch      what ./tandem reads: jdk, built_runtime, built_root, class_path, aot
: "${root:?}" "${work:?}" "${log:?}" "${jvm_flags:?}" "${LOCK_WAIT_MAX:?}"

build() {
    case $root in
        *[:\']*) fail "cannot run from $root: a colon or quote in the path breaks a class path" ;;
    esac
    jdk_find || fail "$(jdk_missing)"
    if ! { mkdir -p "$work" 2>/dev/null && [ -w "$work" ]; }; then
        are_jars_current ||
            fail "cannot write to $work: build once as a user who can, by ./tandem --version"
        # Installed by another, and not yet started by one who may write the cache.
        find_class_path
        aot=''
        return
    fi
    lock
    # Another may have built while this one waited.
    if ! is_current; then
        jdk_find || fail "$(jdk_missing)"
        : >"$log"
        touch "$work/stamp.new"
        are_jars_current || compile
        rehearse
    fi
    unlock
    # shellcheck source=/dev/null
    . "$work/launch"
}

# A link is made or refused in one step, and tells by its target whose it is.
lock() {
    lock_waited=0
    until ln -s "$$" "$work/lock" 2>/dev/null; do
        lock_owner=$(readlink "$work/lock") || continue
        if ! kill -0 "$lock_owner" 2>/dev/null; then
            # Its owner was killed. Rename first: of several who see this, one wins.
            mv "$work/lock" "$work/lock.$$" 2>/dev/null && rm -f "$work/lock.$$"
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

compile() {
    need_maven
    say "building, with Maven and JDK $jdk_runtime (the first time takes a minute or two)"
    rm -rf "$work/lib.new"
    run "building" env JAVA_HOME="$jdk" mvn -B -ntp -f "$root/pom.xml" -pl app/cli -am package \
        -Dmaven.test.skip=true "-Dtandem.lib=$work/lib.new" ||
        build_failed
    cp "$root"/app/cli/target/tandem-cli-*.jar "$work/lib.new/" || build_failed
    # Running servers keep the jars that they opened; only the names go.
    rm -rf "${work:?}/lib" "$work/tandem.aot"
    mv "$work/lib.new" "$work/lib" || build_failed
    mv "$work/stamp.new" "$work/stamp"
    say "built in $run_seconds s"
}

# What `demo` and the lab run: web applications, unpacked, so that they start at once.
build_apps() {
    lock
    if ! are_apps_current; then
        need_maven
        : >"$log"
        say "building the auction and others (the first time takes half a minute)"
        rm -rf "$work/apps.new"
        run "building" env JAVA_HOME="$jdk" mvn -B -ntp -f "$root/pom.xml" \
            -pl lab/auction,lab/specweb -am package -Dmaven.test.skip=true || build_failed
        mkdir -p "$work/apps.new"
        for app in auction specweb; do
            for folder in "$root/lab/$app/target/tandem-$app"-*/; do
                cp -R "$folder" "$work/apps.new/$app" || build_failed
            done
        done
        rm -rf "${work:?}/apps"
        mv "$work/apps.new" "$work/apps" && touch "$work/apps"
        say "built in $run_seconds s"
    fi
    unlock
}

build_failed() {
    # Warnings of the compiler are errors to us, but it does not call them so.
    {
        grep -E '^\[ERROR\]|^\[WARNING\].*\.java:\[' "$log" || tail -n 20 "$log"
    } | sed '/-> \[Help/q' | head -n 20 >&2
    fail "the build failed; all of it is in $log"
}

find_class_path() {
    class_path=''
    # What is looked for by name is looked for in this order, a jar opened at each step; what comes
    # twice is not opened twice.
    for jar in "$work"/lib/tandem-net-epoll-*.jar "$work"/lib/*.jar; do
        class_path=${class_path:+$class_path:}$jar
    done
}

# Runs the server once, with the flags of every later start, for the JVM to remember what it loaded
# and linked. That failing costs speed only.
rehearse() {
    find_class_path
    aot=$work/tandem.aot
    rm -f "$aot"
    # shellcheck disable=SC2086
    if run "making starts quick" "$jdk/bin/java" $jvm_flags \
        "-XX:AOTCacheOutput=$aot.new" -Dtandem.terminal=false \
        -cp "$class_path" dev.tandem.cli.Main rehearse && [ -e "$aot.new" ]; then
        mv "$aot.new" "$aot"
    else
        aot=''
    fi
    if [ -z "$aot" ]; then
        say "no AOT cache could be made (see $log): starts will be slower"
    fi
    jdk_read "$jdk"
    printf "jdk='%s'\nbuilt_runtime='%s'\nbuilt_root='%s'\nclass_path='%s'\naot='%s'\n" \
        "$jdk" "$jdk_runtime" "$root" "$class_path" "$aot" >"$work/launch.new"
    mv "$work/launch.new" "$work/launch"
}

# run LABEL COMMAND…: into the log, with a moving line where there is a terminal.
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
            run_room=$(sed -n 's/^\[INFO\] Building Tandem: \([^,]*\).*\(\[.*\]\)$/\1 \2/p' \
                "$log" | tail -n 1)
            printf '\r\033[K%s %s %s (%d s)' "$frame" "$run_label" "$run_room" \
                $(($(date +%s) - run_started)) >&2
            sleep 0.2 2>/dev/null || sleep 1
            kill -0 "$child" 2>/dev/null || break
        done
    done
    printf '\r\033[K' >&2
}
