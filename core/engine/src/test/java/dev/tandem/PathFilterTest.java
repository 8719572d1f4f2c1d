package dev.tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.engine.ReadyHandler;
import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathFilterTest {

    /// Blocks, as one that hashes passwords does.
    private static final class BlockingFilter implements Filter {
        @Override
        public void apply(Exchange x, Handler next) throws Exception {
            next.handle(x);
        }

        @Override
        public Handler wrap(Handler handler) {
            return handler::handle;
        }
    }

    @Test
    void handlerBehindABlockingFilterIsBlocking() {
        Handler quick = Handler.nonBlocking(_ -> {});
        assertTrue(new PathFilter("/admin", new BlockingFilter()).wrap(quick).isBlocking());
        assertFalse(new PathFilter("/admin", Filter.before(_ -> {})).wrap(quick).isBlocking());
    }

    /// Shows which of its responses was sent.
    static final class Prepared implements PreparedResponseHandler {
        private final ReadyHandler ready = new ReadyHandler();

        @Override
        public @Nullable PreparedResponse preparedResponse(RequestHead head, String path) {
            return ready.preparedResponse(head, path);
        }

        @Override
        public void handle(Exchange x) throws IOException {
            x.send("handled");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/admin, handled, ready",
        "/admin/a, handled, ready",
        "/admin;x/a, handled, ready",
        "/administration, ready, ready",
        "/, ready, ready"
    })
    void preparedResponsesAreUsedWhereTheFilterAllows(
            String path, String behindAny, String behindHeaders) throws IOException {
        assertEquals(behindAny, text(Filter.before(_ -> {}), path));
        assertEquals(behindHeaders, text(Filter.headers(Map.of("X-A", "1")), path));
    }

    private static String text(Filter filter, String path) throws IOException {
        Tandem tandem =
                Tandem.listen("127.0.0.1", 0)
                        .filter("/admin", filter)
                        .get("/{path...}", new Prepared());
        try (Server server = tandem.start();
                RawClient client = RawClient.connect(server.address())) {
            return client.send("GET " + path + " HTTP/1.1\nHost: a\n\n").response().text();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/admin, yes",
        "/admin/users, yes",
        "/admin;x, yes",
        "/admin;/users, yes",
        "/admin%3Bx/users, yes",
        "/;x/admin, yes",
        "/administration, null",
        "/administration;x, null",
        "/a;x/admin, null"
    })
    void filterIsForThePathInEverySpelling(String target, String header) throws IOException {
        Tandem tandem =
                Tandem.listen("127.0.0.1", 0)
                        .filter("/admin", Filter.before(x -> x.header("X-Admin", "yes")))
                        .get("/{path...}", x -> x.send(""));
        try (Server server = tandem.start();
                RawClient client = RawClient.connect(server.address())) {
            var response = client.send("GET " + target + " HTTP/1.1\nHost: a\n\n").response();
            assertEquals(header, "" + response.field("X-Admin"));
        }
    }
}
