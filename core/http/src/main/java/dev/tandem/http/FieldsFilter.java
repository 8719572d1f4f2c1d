package dev.tandem.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Sets header fields that are the same for every answer; answers that lie ready get them, too.
final class FieldsFilter implements Filter {
    private final FieldLines lines;

    FieldsFilter(Map<String, String> fields) {
        this.lines = FieldLines.of(fields);
    }

    @Override
    public void apply(Exchange x, Handler next) throws Exception {
        lines.fields().forEach(x::header);
        next.handle(x);
    }

    @Override
    public Handler before(Handler handler) {
        return handler instanceof ReadyHandler ready
                ? new Before(this, ready)
                : Filter.super.before(handler);
    }

    private record Before(FieldsFilter filter, ReadyHandler next) implements ReadyHandler {

        @Override
        public void handle(Exchange x) throws Exception {
            filter.apply(x, next);
        }

        @Override
        public boolean isBlocking() {
            return next.isBlocking();
        }

        @Override
        public @Nullable ReadyAnswer ready(RequestHead head, String path) {
            ReadyAnswer answer = next.ready(head, path);
            return answer == null ? null : answer.with(filter.lines);
        }
    }
}
