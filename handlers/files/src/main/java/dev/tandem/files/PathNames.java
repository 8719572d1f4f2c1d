package dev.tandem.files;

/// Which names in a request's path may name files at all.
///
/// The server decodes paths, resolves dot segments and refuses encoded slashes, backslashes and
/// controls before a handler sees them. That is checked once more here, where a mistake would
/// open the disk.
final class PathNames {

    /// The one hidden folder that is meant to be seen (RFC 8615).
    private static final String WELL_KNOWN = ".well-known";

    /// The longest name that file systems take, in bytes (`NAME_MAX` of Linux).
    private static final int NAME_BYTES_MAX = 255;

    private PathNames() {}

    /// Whether every segment may name a file or folder.
    ///
    /// @param tail segments parted by single slashes; empty for the root; with a slash at its end
    ///     for a folder
    /// @param isWindows whether names mean what they mean to Windows
    static boolean areVisible(String tail, boolean isWindows) {
        int from = 0;
        while (from < tail.length()) {
            int slash = tail.indexOf('/', from);
            int to = slash < 0 ? tail.length() : slash;
            if (!isVisible(tail, from, to) || isWindows && isAlias(tail, from, to)) {
                return false;
            }
            from = to + 1;
        }
        return true;
    }

    /// An empty segment would make an absolute path of what follows it; names that begin with a
    /// dot are hidden, and `..` is one of them.
    private static boolean isVisible(String tail, int from, int to) {
        boolean isHidden = tail.startsWith(".", from) && !isWellKnown(tail, from, to);
        if (from == to || isHidden) {
            return false;
        }
        int bytes = 0;
        for (int i = from; i < to; i++) {
            char c = tail.charAt(i);
            if (c == '\\' || Character.isISOControl(c)) {
                return false;
            }
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes <= NAME_BYTES_MAX;
    }

    private static boolean isWellKnown(String tail, int from, int to) {
        return to - from == WELL_KNOWN.length() && tail.startsWith(WELL_KNOWN, from);
    }

    /// Whether Windows would take the name for another file's: `c:name` and `name::$DATA` for a
    /// drive or a stream, `name.` and `name ` for `name`, `LONGNA~1` for a long name, so also for
    /// a hidden one.
    private static boolean isAlias(String tail, int from, int to) {
        char last = tail.charAt(to - 1);
        return last == '.'
                || last == ' '
                || tail.indexOf(':', from, to) >= 0
                || tail.indexOf('~', from, to) >= 0;
    }
}
