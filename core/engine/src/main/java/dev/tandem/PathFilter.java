package dev.tandem;

import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.PathParameters;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import org.jspecify.annotations.Nullable;

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
        Handler filtered = filter.wrap(handler);
        return handler instanceof PreparedResponseHandler ready
                ? new PreparedPathHandler(this, filtered, ready)
                : new PathHandler(this, filtered, handler);
    }

    /// @param filtered handles the requests that the filter is for
    /// @param other handles the others
    private record PathHandler(PathFilter paths, Handler filtered, Handler other)
            implements Handler {

        @Override
        public void handle(Exchange x) throws Exception {
            (paths.isFor(x.path()) ? filtered : other).handle(x);
        }

        @Override
        public boolean isBlocking() {
            return filtered.isBlocking() || other.isBlocking();
        }
    }

    private record PreparedPathHandler(
            PathFilter paths, Handler filtered, PreparedResponseHandler other)
            implements PreparedResponseHandler {

        @Override
        public void handle(Exchange x) throws Exception {
            (paths.isFor(x.path()) ? filtered : other).handle(x);
        }

        @Override
        public boolean isBlocking() {
            return filtered.isBlocking() || other.isBlocking();
        }

        @Override
        public @Nullable PreparedResponse preparedResponse(RequestHead head, String path) {
            Handler handler = paths.isFor(head.target().path()) ? filtered : other;
            return handler instanceof PreparedResponseHandler ready
                    ? ready.preparedResponse(head, path)
                    : null;
        }
    }
}
