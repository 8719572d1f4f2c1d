# shellcheck shell=sh
# shellcheck disable=SC2034 # its variables are used by the scripts that source it
# Sourced by ./tandem, ./check and scripts of this folder: finds a JDK that is new enough. Sets variables, never
# prints; only jdk_require does.
# Plain POSIX sh. A JDK is recognized by its `release` file, so that the search starts no process.

JDK_MIN=25

# Reads $1/release. Sets jdk_runtime ("25.0.3+9-LTS") and jdk_feature (25); false if $1 is no JDK. One
# with a quote in its path or version is none: ./tandem keeps both between quotes in a script.
jdk_read() {
    jdk_runtime='' jdk_feature=0
    case $1 in *\'*) return 1 ;; esac
    [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
    jdk_line=''
    while IFS= read -r jdk_line || [ -n "$jdk_line" ]; do
        case $jdk_line in
            JAVA_RUNTIME_VERSION=*) jdk_runtime=${jdk_line#*=} ;;
            JAVA_VERSION=*) [ -n "$jdk_runtime" ] || jdk_runtime=${jdk_line#*=} ;;
        esac
    done <"$1/release"
    jdk_runtime=${jdk_runtime#\"}
    jdk_runtime=${jdk_runtime%\"}
    case $jdk_runtime in *\'*) jdk_runtime='' ;; esac
    jdk_feature=${jdk_runtime#1.} # Java 8 and older say 1.8
    jdk_feature=${jdk_feature%%[!0-9]*}
    [ -n "$jdk_feature" ] || jdk_feature=0
    [ "$jdk_feature" -gt 0 ]
}

jdk_fits() {
    jdk_read "$1" && [ "$jdk_feature" -ge "$JDK_MIN" ]
}

# The home of the `java` on the PATH. Runs it, since it may be a shim outside of its home.
jdk_of_path() {
    command -v java >/dev/null 2>&1 || return 1
    java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p'
}

# Sets jdk to the home of a JDK of JDK_MIN or newer: JAVA_HOME, then the PATH, then the usual
# folders. False if there is none; then jdk_seen lists the versions that were found.
jdk_find() {
    jdk='' jdk_seen=''
    for jdk_home in "${JAVA_HOME:-}" "$(jdk_of_path)" \
        /usr/lib/jvm/* /usr/java/* /opt/*/ /opt/*/*/ \
        "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home; do
        jdk_home=${jdk_home%/}
        [ -n "$jdk_home" ] || continue
        if jdk_fits "$jdk_home"; then
            jdk=$jdk_home
            return 0
        fi
        if [ "$jdk_feature" -gt 0 ]; then
            case ", $jdk_seen," in
                *", $jdk_feature,"*) ;;
                *) jdk_seen=${jdk_seen:+$jdk_seen, }$jdk_feature ;;
            esac
        fi
    done
    return 1
}

# One line: what is missing and how to get it.
jdk_missing() {
    echo "needs a JDK $JDK_MIN or newer${jdk_seen:+ (found only $jdk_seen)}:" \
        "install one from https://adoptium.net and set JAVA_HOME to its folder, or unpack it" \
        "into /opt or ~/.jdks"
}

# For the script of name $1: exports JAVA_HOME, or ends the script with what is missing.
jdk_require() {
    jdk_find || {
        echo "$1: $(jdk_missing)" >&2
        exit 1
    }
    export JAVA_HOME="$jdk"
}
