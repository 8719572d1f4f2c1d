package dev.tandem.files;

/// Decides which names in a request's path may name files.
///
/// The server decodes paths, resolves dot segments and rejects encoded slashes, backslashes and
/// control characters before a handler sees them. They are checked again here, where a mistake
/// would expose the disk.
final class PathNames {

    /// The only hidden folder that is served (RFC 8615).
    private static final String WELL_KNOWN = ".well-known";

    /// The longest file name, in bytes (`NAME_MAX` of Linux).
    private static final int NAME_BYTES_MAX = 255;

    /// The longest path, in bytes (`PATH_MAX` of Linux without the zero at the end).
    private static final int PATH_BYTES_MAX = 4_095;

    private PathNames() {}

    /// Returns whether every segment may name a file or folder.
    ///
    /// @param tail segments separated by single slashes; empty for the root; with a slash at the
    ///     end for a folder
    /// @param isWindows whether Windows interprets the names
    static boolean areVisible(String tail, boolean isWindows) {
        if (isTooLong(tail)) {
            return false;
        }
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

    /// Returns whether the path is longer than the system allows.
    static boolean isTooLong(String path) {
        return path.length() > PATH_BYTES_MAX || bytes(path, 0, path.length()) > PATH_BYTES_MAX;
    }

    private static int bytes(String path, int from, int to) {
        int bytes = 0;
        for (int i = from; i < to; i++) {
            char c = path.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }

    /// An empty segment would make the rest an absolute path; names that begin with a dot are
    /// hidden, including `..`.
    private static boolean isVisible(String tail, int from, int to) {
        boolean isHidden = tail.startsWith(".", from) && !isWellKnown(tail, from, to);
        if (from == to || isHidden) {
            return false;
        }
        for (int i = from; i < to; i++) {
            char c = tail.charAt(i);
            if (c == '\\' || Character.isISOControl(c)) {
                return false;
            }
        }
        return bytes(tail, from, to) <= NAME_BYTES_MAX;
    }

    private static boolean isWellKnown(String tail, int from, int to) {
        return to - from == WELL_KNOWN.length() && tail.startsWith(WELL_KNOWN, from);
    }

    /// Returns whether Windows would resolve the name to another file: `c:name` and `name::$DATA`
    /// to a drive or a stream, `name.` and `name ` to `name`, `LONGNA~1` to a long name, which may
    /// be hidden.
    private static boolean isAlias(String tail, int from, int to) {
        char last = tail.charAt(to - 1);
        return last == '.'
                || last == ' '
                || tail.indexOf(':', from, to) >= 0
                || tail.indexOf('~', from, to) >= 0;
    }
}
