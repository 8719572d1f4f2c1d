package dev.tandem.http;

/// Parameters of paths, such as `;jsessionid=1` in `/shop;jsessionid=1` (RFC 3986, section 3.3).
/// For this server they are parts of names; for servlet containers they are not, and `/admin;x` is
/// `/admin`.
public final class PathParameters {
    private PathParameters() {}

    /// Returns the path as servers understand it that remove parameters: each segment ends at its
    /// first semicolon, and runs of slashes are merged. Dot segments that appear are not resolved.
    ///
    /// @param path from [RequestTarget#path()]; where no semicolon is in it, the result is the same
    ///     object
    public static String removed(String path) {
        if (path.indexOf(';') < 0) {
            return path;
        }
        var plain = new StringBuilder(path.length()).append('/');
        int from = 1;
        while (from <= path.length()) {
            int slash = path.indexOf('/', from);
            int end = slash < 0 ? path.length() : slash;
            int semicolon = path.indexOf(';', from);
            int cut = semicolon < 0 ? end : Math.min(semicolon, end);
            plain.append(path, from, cut);
            if (slash >= 0 && cut > from) {
                plain.append('/');
            }
            from = end + 1;
        }
        return plain.toString();
    }
}
