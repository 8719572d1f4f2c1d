package dev.tandem;

import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.PathParameters;

/// A filter for a path and everything below it, by whole segments of the decoded path: `/admin` is
/// for `/admin` and `/admin/users`, not for `/administration`; and for `/admin;x`, which is
/// `/admin` for servers that remove parameters.
///
/// @param path begins with a slash and does not end with one
record PathFilter(String path, Filter filter) implements Filter {

    /// @throws IllegalArgumentException if the path has another form
    PathFilter {
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException(
                    "the path of a filter is one such as /admin, was '" + path + "'");
        }
    }

    @Override
    public void apply(Exchange x, Handler next) throws Exception {
        if (isFor(x.path())) {
            filter.apply(x, next);
        } else {
            next.handle(x);
        }
    }

    @Override
    public boolean isFor(String asked, String pattern) {
        return isFor(asked) && filter.isFor(asked, pattern);
    }

    private boolean isFor(String asked) {
        String plain = PathParameters.removed(asked);
        return isBelow(asked) || !plain.equals(asked) && isBelow(plain);
    }

    private boolean isBelow(String asked) {
        return asked.startsWith(path)
                && (asked.length() == path.length() || asked.charAt(path.length()) == '/');
    }

    @Override
    public Handler wrap(Handler handler) {
        return filter.wrap(handler);
    }
}
