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

/// Filters made by [Filter#fields(Map)] before ready answers. Before others: the server's tests.
class FilterFieldsTest {
    private static final RequestHead HEAD =
            new RequestHead() {
                @Override
                public String method() {
                    return "GET";
                }

                @Override
                public Target target() {
                    throw new AssertionError("it is not asked");
                }

                @Override
                public boolean has(KnownField field) {
                    return false;
                }

                @Override
                public boolean is(KnownField field, String value) {
                    return false;
                }

                @Override
                public String value(KnownField field) {
                    return "";
                }
            };

    private static final ReadyAnswer ANSWER =
            new ReadyAnswer(
                    200,
                    "Content-Type: text/plain\r\nX-Own: mine\r\nContent-Length: 0\r\n",
                    ByteBuffer.allocateDirect(0));

    private static final ReadyHandler READY =
            new ReadyHandler() {
                @Override
                public void handle(Exchange x) {
                    throw new AssertionError("it lies ready");
                }

                @Override
                public @Nullable ReadyAnswer ready(RequestHead head, String path) {
                    return path.equals("there") ? ANSWER : null;
                }
            };

    private static ReadyHandler before(Filter filter, Handler handler) {
        return assertInstanceOf(ReadyHandler.class, filter.before(handler));
    }

    private static String fields(ReadyHandler handler) {
        ReadyAnswer answer = handler.ready(HEAD, "there");
        return answer == null ? "none" : new String(answer.fields(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void readyAnswersGetThemToo() {
        ReadyHandler handler = before(Filter.fields(Map.of("X-Frame-Options", "DENY")), READY);
        assertEquals(
                "Content-Type: text/plain\r\nX-Own: mine\r\nContent-Length: 0\r\n"
                        + "X-Frame-Options: DENY\r\n",
                fields(handler));
        assertNull(handler.ready(HEAD, "elsewhere"));
    }

    @Test
    void anAnswersOwnWordGoesBefore() {
        Filter filter = Filter.fields(Map.of("x-own", "theirs", "content-type", "a/b"));
        assertEquals(fields(READY), fields(before(filter, READY)));
    }

    @Test
    void severalAreAdded() {
        ReadyHandler inner = before(Filter.fields(Map.of("A", "1")), READY);
        ReadyHandler outer = before(Filter.fields(Map.of("B", "2", "A", "3")), inner);
        assertEquals(fields(READY) + "A: 1\r\nB: 2\r\n", fields(outer));
    }

    /// Else each request of a file in memory would allocate.
    @Test
    void theAnswerIsMadeOnce() {
        ReadyHandler handler = before(Filter.fields(Map.of("A", "1")), READY);
        assertSame(handler.ready(HEAD, "there"), handler.ready(HEAD, "there"));
    }

    @Test
    void twoSitesWithOneHandlerGetTheirOwn() {
        ReadyHandler one = before(Filter.fields(Map.of("A", "1")), READY);
        ReadyHandler two = before(Filter.fields(Map.of("A", "2")), READY);
        for (int i = 0; i < 2; i++) {
            assertEquals(fields(READY) + "A: 1\r\n", fields(one));
            assertEquals(fields(READY) + "A: 2\r\n", fields(two));
        }
    }

    @Test
    void aFilterThatMustSeeRequestsHidesReadyAnswers() {
        Filter filter = (x, next) -> next.handle(x);
        assertEquals(false, filter.before(READY) instanceof ReadyHandler);
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
    void refusesWhatCannotBeInEveryAnswer(String name, String value) {
        assertThrows(
                IllegalArgumentException.class, () -> Filter.fields(Map.of(name, value)), name);
    }
}
