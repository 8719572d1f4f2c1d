package dev.tandem.http;

/// Stands before handlers: looks at the request, calls `next` or answers itself, adds to the
/// answer.
@FunctionalInterface
public interface Filter {

    /// Calls `next.handle(x)` at most once. Header fields of the answer must be set before that
    /// call, since the answer may be on its way when it returns.
    void apply(Exchange x, Handler next) throws Exception;

    /// `handler` behind this filter. Whether it may block is the handler's word: a filter before a
    /// non-blocking handler must not block either.
    default Handler before(Handler handler) {
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
