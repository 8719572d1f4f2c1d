# Sums surefire's reports (TEST-*.xml): which tests failed, why tests were skipped, then the line that
# CI looks for. Exits with status 1 if a test failed or if there was none.
function number(name,    at) {
    if (!match($0, " " name "=\"[0-9]+\"")) return 0
    at = RSTART + length(name) + 3
    return substr($0, at, RSTART + RLENGTH - 1 - at) + 0
}
function text(name,    at) {
    if (!match($0, " " name "=\"[^\"]*\"")) return "?"
    at = RSTART + length(name) + 3
    return substr($0, at, RSTART + RLENGTH - 1 - at)
}
/<testsuite / {
    tests += number("tests")
    skipped += number("skipped")
    failed += number("failures") + number("errors")
}
/<testcase / {
    class = text("classname")
    sub(/.*\./, "", class)
    test = class "." text("name")
}
/<(failure|error)[ >]/ { print "FAILED: " test ": " substr(text("message"), 1, 200) }
/<skipped/ {
    reason = "no reason given"
    if (match($0, /Assumption failed: [^<"]+/)) {
        reason = substr($0, RSTART + 19, RLENGTH - 19)
        sub(/^skipped: /, "", reason)
    } else if (match($0, /skipped: [^<"\]]+/)) {
        reason = substr($0, RSTART + 9, RLENGTH - 9)
    }
    reasons[reason]++
}
END {
    for (reason in reasons) print "skipped: " reason " (" reasons[reason] ")"
    printf "%d passed, %d failed, %d skipped\n", tests - failed - skipped, failed, skipped
    exit tests == 0 || failed > 0
}
