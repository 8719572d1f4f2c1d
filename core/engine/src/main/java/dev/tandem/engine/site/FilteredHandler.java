package dev.tandem.engine.site;

import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A handler behind the filters of a site or of a group of routes. Whether it blocks, and whether
/// it may have prepared responses, depends on the path, since filters are for some paths only:
/// [#of]. Immutable.
public final class FilteredHandler implements Handler {
    private final List<Filter> filters;
    private final ExceptionHandlers exceptions;
    private final Handler handler;

    /// @param exceptions for what the handler and the filters throw
    /// @param handler may be of an inner group
    public FilteredHandler(List<Filter> filters, ExceptionHandlers exceptions, Handler handler) {
        this.filters = List.copyOf(filters);
        this.exceptions = exceptions;
        this.handler = handler;
    }

    /// Returns what handles the requests of a path.
    ///
    /// @param pattern of the route
    Handler of(String path, String pattern) {
        return of(path, pattern, false);
    }

    /// @param isPresented whether a filter before these may present another path
    private Handler of(String path, String pattern, boolean isPresented) {
        return exceptions.wrap(from(0, path, pattern, isPresented));
    }

    /// Returns the handler behind the filters from one on.
    private Handler from(int at, String path, String pattern, boolean isPresented) {
        if (at == filters.size()) {
            return handler instanceof FilteredHandler inner
                    ? inner.of(path, pattern, isPresented)
                    : handler;
        }
        Filter filter = filters.get(at);
        boolean isFor = filter.isFor(path, pattern);
        boolean isNextPresented = isPresented || isFor && mayPresent(filter);
        Handler next = from(at + 1, path, pattern, isNextPresented);
        if (isPresented) {
            return new Undecided(filter, next, filter.wrap(next).isBlocking());
        }
        return isFor ? filter.wrap(next) : new Spared(filter, next);
    }

    /// Returns whether a filter may present another path. One that leaves prepared responses as
    /// they are, or only sets their headers, does not.
    private boolean mayPresent(Filter filter) {
        return !(filter.wrap(new Spared(filter, handler)) instanceof PreparedResponseHandler);
    }

    @Override
    public void handle(Exchange x) throws Exception {
        of(x.path(), x.routePattern()).handle(x);
    }

    /// A handler behind a filter that sees the path which one before it presents. It decides about
    /// each request whether it is for that path; if so, it may block.
    private record Undecided(Filter filter, Handler next, boolean isBlocking) implements Handler {

        @Override
        public void handle(Exchange x) throws Exception {
            filter.apply(x, next);
        }
    }

    /// A handler behind a filter that is not for the path. It decides so by itself, too.
    private record Spared(Filter filter, Handler next) implements PreparedResponseHandler {

        @Override
        public void handle(Exchange x) throws Exception {
            filter.apply(x, next);
        }

        @Override
        public boolean isBlocking() {
            return next.isBlocking();
        }

        @Override
        public @Nullable PreparedResponse preparedResponse(RequestHead head, String path) {
            return next instanceof PreparedResponseHandler ready
                    ? ready.preparedResponse(head, path)
                    : null;
        }
    }
}
