# Turns Maven's log into progress: a line for each module and each test class, and every failure.
/^\[INFO\] Building Tandem: / {
    sub(/^\[INFO\] Building Tandem: /, "")
    sub(/ +[0-9]+\.[0-9][^ ]*/, "")
    sub(/ +\[/, " [")
    print $0
}
/Tests run: .* -- in / {
    class = $NF
    sub(/.*\./, "", class)
    match($0, /Tests run: [0-9]+/)
    count = substr($0, RSTART + 11, RLENGTH - 11)
    match($0, /Time elapsed: [0-9.]+ m?s/)
    time = substr($0, RSTART + 14, RLENGTH - 14)
    match($0, /Skipped: [0-9]+/)
    skipped = substr($0, RSTART + 9, RLENGTH - 9)
    status = /<<< (FAILURE|ERROR)/ ? "FAILED" : "ok"
    printf "  %-6s %-40s %5d in %s%s\n", status, class, count, time,
        (skipped + 0 > 0 ? ", " skipped " skipped" : "")
}
# Surefire's summary at the end of a module, and the compiler's messages.
/^\[ERROR\] (Failures|Errors): *$/ { inside = 1; next }
/^\[(INFO|ERROR|WARNING)\] *(Tests run:.*)?$/ && !/ -- in / { inside = 0 }
inside { sub(/^\[ERROR\] */, "         "); print }
/^\[(ERROR|WARNING)\] .*\.java:\[/ { sub(/^\[(ERROR|WARNING)\] /, "  "); if (!seen[$0]++) print }
# Files that spotless rejects.
/^\[ERROR\]     src\/.*\.java/ { print "  " $2 }
/^\[ERROR\] Failed to execute goal / { print "  " substr($0, 9) }
{ fflush() }
