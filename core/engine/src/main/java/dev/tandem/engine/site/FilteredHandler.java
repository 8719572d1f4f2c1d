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
        Handler filtered =
                handler instanceof FilteredHandler inner ? inner.of(path, pattern) : handler;
        for (Filter filter : filters.reversed()) {
            filtered =
                    filter.isFor(path, pattern)
                            ? filter.wrap(filtered)
                            : new Spared(filter, filtered);
        }
        return exceptions.wrap(filtered);
    }

    @Override
    public void handle(Exchange x) throws Exception {
        of(x.path(), x.routePattern()).handle(x);
    }

    /// A handler behind a filter that is not for the path. The filter still decides about each
    /// request, as one before it may present another path.
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
