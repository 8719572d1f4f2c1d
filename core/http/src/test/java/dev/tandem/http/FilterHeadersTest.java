package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Filters of [Filter#headers(Map)] before prepared responses. The engine's tests cover other
/// responses.
class FilterHeadersTest {
    private static final RequestHead HEAD =
            new RequestHead() {
                @Override
                public String method() {
                    return "GET";
                }

                @Override
                public RequestTarget target() {
                    throw new AssertionError("it is not asked");
                }

                @Override
                public boolean has(KnownHeader field) {
                    return false;
                }

                @Override
                public boolean isExactly(KnownHeader field, String value) {
                    return false;
                }

                @Override
                public String value(KnownHeader field) {
                    return "";
                }

                @Override
                public String value(String name) {
                    return "";
                }

                @Override
                public Headers headers() {
                    return Headers.EMPTY;
                }

                @Override
                public int minorVersion() {
                    return 1;
                }
            };

    private static final PreparedResponse RESPONSE =
            new PreparedResponse(
                    200,
                    "Content-Type: text/plain\r\nX-Own: mine\r\nContent-Length: 0\r\n",
                    ByteBuffer.allocateDirect(0));

    private static final PreparedResponseHandler READY =
            new PreparedResponseHandler() {
                @Override
                public void handle(Exchange x) {
                    throw new AssertionError("it lies ready");
                }

                @Override
                public @Nullable PreparedResponse preparedResponse(RequestHead head, String path) {
                    return path.equals("there") ? RESPONSE : null;
                }
            };

    private static PreparedResponseHandler before(Filter filter, Handler handler) {
        return assertInstanceOf(PreparedResponseHandler.class, filter.wrap(handler));
    }

    private static String fields(PreparedResponseHandler handler) {
        PreparedResponse response = handler.preparedResponse(HEAD, "there");
        return response == null
                ? "none"
                : new String(response.headerLines(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void preparedResponsesGetHeaders() {
        PreparedResponseHandler handler =
                before(Filter.headers(Map.of("X-Frame-Options", "DENY")), READY);
        assertEquals(
                "Content-Type: text/plain\r\nX-Own: mine\r\nContent-Length: 0\r\n"
                        + "X-Frame-Options: DENY\r\n",
                fields(handler));
        assertNull(handler.preparedResponse(HEAD, "elsewhere"));
    }

    @Test
    void responseHeaderTakesPrecedence() {
        Filter filter = Filter.headers(Map.of("x-own", "theirs", "content-type", "a/b"));
        assertEquals(fields(READY), fields(before(filter, READY)));
    }

    @Test
    void severalHeadersAreAdded() {
        PreparedResponseHandler inner = before(Filter.headers(Map.of("A", "1")), READY);
        PreparedResponseHandler outer = before(Filter.headers(Map.of("B", "2", "A", "3")), inner);
        assertEquals(fields(READY) + "A: 1\r\nB: 2\r\n", fields(outer));
    }

    /// Otherwise each request for a file in memory would allocate.
    @Test
    void extendedResponseIsCached() {
        PreparedResponseHandler handler = before(Filter.headers(Map.of("A", "1")), READY);
        assertSame(
                handler.preparedResponse(HEAD, "there"), handler.preparedResponse(HEAD, "there"));
    }

    @Test
    void sitesWithSharedHandlerGetOwnHeaders() {
        PreparedResponseHandler one = before(Filter.headers(Map.of("A", "1")), READY);
        PreparedResponseHandler two = before(Filter.headers(Map.of("A", "2")), READY);
        for (int i = 0; i < 2; i++) {
            assertEquals(fields(READY) + "A: 1\r\n", fields(one));
            assertEquals(fields(READY) + "A: 2\r\n", fields(two));
        }
    }

    @Test
    void otherFilterHidesPreparedResponses() {
        Filter filter = (x, next) -> next.handle(x);
        assertEquals(false, filter.wrap(READY) instanceof PreparedResponseHandler);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Content-Length | 1",
                "date | x",
                "Transfer-Encoding | chunked",
                "Connection | close",
                "X A | b",
                "X-A | 'b\r\nc: d'"
            })
    void headersOfSingleResponsesThrow(String name, String value) {
        assertThrows(
                IllegalArgumentException.class, () -> Filter.headers(Map.of(name, value)), name);
    }
}
