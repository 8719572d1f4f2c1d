package dev.tandem.http;

import java.util.Map;

/// Stands before handlers: looks at the request, calls `next` or answers itself, adds to the
/// answer.
///
/// Since it has to see every request, there are no ready answers ([PreparedResponseHandler]) behind
/// it: each file, say, then goes through its handler on a worker, which costs several times as
/// much. A filter that only sets fields that are always the same is better made by [#headers(Map)].
@FunctionalInterface
public interface Filter {

    /// Calls `next.handle(x)` at most once. Header fields of the answer must be set before that
    /// call, since the answer may be on its way when it returns.
    void apply(Exchange x, Handler next) throws Exception;

    /// A filter that sets these header fields on every answer, ready ones included. What a handler
    /// sets itself goes before it.
    ///
    /// @throws IllegalArgumentException if a name or value may not be sent, or the field is one
    ///     that frames or dates an answer; names it
    static Filter headers(Map<String, String> fields) {
        return new StaticHeadersFilter(fields);
    }

    /// `handler` behind this filter. Whether it may block is the handler's word: a filter before a
    /// non-blocking handler must not block either.
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
