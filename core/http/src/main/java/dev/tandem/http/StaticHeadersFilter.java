package dev.tandem.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Sets the same headers on every response, prepared ones included.
final class StaticHeadersFilter implements Filter {
    private final StaticHeaders lines;

    StaticHeadersFilter(Map<String, String> fields) {
        this.lines = StaticHeaders.of(fields);
    }

    @Override
    public void apply(Exchange x, Handler next) throws Exception {
        lines.headers().forEach(x::header);
        next.handle(x);
    }

    @Override
    public Handler wrap(Handler handler) {
        return handler instanceof PreparedResponseHandler ready
                ? new Before(this, ready)
                : Filter.super.wrap(handler);
    }

    private record Before(StaticHeadersFilter filter, PreparedResponseHandler next)
            implements PreparedResponseHandler {

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
            PreparedResponse response = next.preparedResponse(head, path);
            return response == null ? null : response.with(filter.lines);
        }
    }
}
