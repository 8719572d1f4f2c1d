package dev.tandem.engine.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tandem.ErrorPage;
import dev.tandem.Options;
import dev.tandem.engine.Engines;
import dev.tandem.engine.site.Resolved;
import dev.tandem.engine.site.Site;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.Router;
import dev.tandem.http.h1.Http1Limits;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h1.RequestHeadDecoder;
import dev.tandem.testkit.WireText;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetCacheTest {
    private final Site site =
            new Site(
                    Router.builder().build(),
                    List.of(),
                    ErrorPage.PLAIN,
                    Engines.admission(Options.DEFAULT));

    @Test
    void storedLineIsFound() {
        var cache = new TargetCache(16);
        Resolved put = put(cache, "GET", "/hello?a=b");
        assertSame(put, find(cache, "GET", "/hello?a=b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "/abc", "/12345678901234567890123456789012"})
    void linesOfAnyLengthAreFound(String target) {
        var cache = new TargetCache(16);
        Resolved put = put(cache, "GET", target);
        assertSame(put, find(cache, "GET", target));
        assertNull(find(cache, "PUT", target));
        assertNull(find(cache, "GET", target + "x"));
    }

    @Test
    void methodsAreDistinguished() {
        var cache = new TargetCache(1);
        put(cache, "GET", "/hello");
        assertNull(find(cache, "PUT", "/hello"));
        assertNull(find(cache, "GETT", "/hello"));
    }

    /// All lines have one slot: the last stored one is found, and never another one.
    @Test
    void collidingLinesAreDistinguished() {
        var cache = new TargetCache(1);
        put(cache, "GET", "/one");
        Resolved two = put(cache, "GET", "/two");
        assertNull(find(cache, "GET", "/one"));
        assertSame(two, find(cache, "GET", "/two"));
    }

    /// The last 24 bytes are the same, and so is the slot.
    @Test
    void linesWithTheSameEndAreDistinguished() {
        String end = "/abcdefghijklmnopqrstuvwxyz";
        var cache = new TargetCache(1024);
        put(cache, "GET", "/a" + end);
        assertNull(find(cache, "GET", "/b" + end));
    }

    @Test
    void linesOf256BytesAreCachedAndLongerOnesAreNot() {
        var cache = new TargetCache(16);
        String longest = "/" + "a".repeat(256 - "GET /".length());
        assertSame(put(cache, "GET", longest), find(cache, "GET", longest));
        put(cache, "GET", longest + "a");
        assertNull(find(cache, "GET", longest + "a"));
    }

    @Test
    void wrongResultIsNeverFound() {
        var random = new Random(20260101);
        var cache = new TargetCache(64);
        for (int i = 0; i < 20_000; i++) {
            String target = "/" + Integer.toString(random.nextInt(500), 2 + random.nextInt(30));
            Resolved found = find(cache, "GET", target);
            if (found == null) {
                put(cache, "GET", target);
            } else {
                assertEquals(target, found.target().path());
            }
        }
    }

    private Resolved put(TargetCache cache, String method, String target) {
        Http1RequestHead head = head(method, target);
        var parsed =
                (RequestTarget)
                        RequestTarget.parse(
                                method, head.bytes(), head.targetFrom(), head.targetTo());
        Resolved resolved = site.resolve(method, parsed);
        cache.put(head, resolved);
        return resolved;
    }

    private static @Nullable Resolved find(TargetCache cache, String method, String target) {
        return cache.find(head(method, target));
    }

    /// Not at the array's beginning, as most are not.
    private static Http1RequestHead head(String method, String target) {
        byte[] bytes = WireText.bytes("x\n" + method + " " + target + " HTTP/1.1\nHost: a\n\n");
        var decoder = new RequestHeadDecoder(Http1Limits.DEFAULT);
        assertEquals(RequestHeadDecoder.Result.COMPLETE, decoder.decode(bytes, 3, bytes.length));
        return decoder.head();
    }
}
