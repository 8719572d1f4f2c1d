package dev.tandem.http;

import java.util.Map;

/// Processes requests before handlers: inspects the request, calls `next` or responds itself, adds
/// headers to the response.
///
/// Because a filter must see every request, prepared responses ([PreparedResponseHandler]) are not
/// used behind it: each request for a file then runs its handler on a worker, which costs several
/// times as much. Use [#headers(Map)] for a filter that only sets constant headers, and [#isFor]
/// for one that is for some paths only.
@FunctionalInterface
public interface Filter {

    /// Filters a request. Calls `next.handle(x)` at most once. Response headers must be set before
    /// that call, because the response may be committed when it returns.
    void apply(Exchange x, Handler next) throws Exception;

    /// Returns whether the filter may do more for the requests of a path and a route than call the
    /// next handler. For others, non-blocking handlers run on the event loop and prepared responses
    /// are used, as if the filter were not there. [#apply] is called for them, too, unless the
    /// response is prepared: a filter before this one may present another path. So it must decide
    /// in the same way, and by itself. Behind a filter that is for the path and does more than set
    /// headers, it is not known which path this one will see: it is then assumed to block where its
    /// [#wrap] does. The result may be kept, so it must stay the same.
    ///
    /// @param path of the request, as [Exchange#path()] has it before any filter
    /// @param pattern of the route, as [Exchange#routePattern()] has it
    default boolean isFor(String path, String pattern) {
        return true;
    }

    /// Returns a filter that runs a handler before the next one: to check, to look up, to set
    /// headers. If it has responded, or throws, the next one does not run.
    static Filter before(Handler handler) {
        return (x, next) -> {
            handler.handle(x);
            if (!x.isCommitted()) {
                next.handle(x);
            }
        };
    }

    /// Returns a filter that runs a handler after the next one, whether or not that has thrown an
    /// exception: to count, to release. The response is usually committed then.
    static Filter after(Handler handler) {
        return (x, next) -> {
            try {
                next.handle(x);
            } finally {
                handler.handle(x);
            }
        };
    }

    /// Returns a filter that sets these headers on every response, prepared ones included. Headers
    /// that a handler sets take precedence.
    ///
    /// @throws IllegalArgumentException if a name or value is not allowed, or the header frames or
    ///     dates a response; names the header
    static Filter headers(Map<String, String> fields) {
        return new StaticHeadersFilter(fields);
    }

    /// Returns a handler that applies this filter before `handler`, for paths and routes that the
    /// filter is for. It is blocking if `handler` is: a filter before a non-blocking handler must
    /// not block either.
    default Handler wrap(Handler handler) {
        return new Handler() {
            @Override
            public void handle(Exchange x) throws Exception {
                apply(x, handler);
            }

            @Override
            public boolean isBlocking() {
                return handler.isBlocking();
            }
        };
    }
}
