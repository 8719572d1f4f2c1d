package dev.tandem.proxy;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HeaderFilterTest {
    @Test
    void headersThatConnectionNamesAreNotForwarded() {
        var headers = Headers.of("connection", "Close, \tX-One ,,", "Connection", "x-TWO");
        HeaderFilter filter = HeaderFilter.of(headers);
        for (String name : new String[] {"x-one", "X-Two", "close", "connection", "TE"}) {
            assertFalse(filter.isForwarded(name), name);
            assertFalse(filter.isReturned(name), name);
        }
        for (String name : new String[] {"A", "X-Three", "One"}) {
            assertTrue(filter.isForwarded(name), name);
            assertTrue(filter.isReturned(name), name);
        }
    }

    /// A client chooses how many options and headers it sends, and the loop makes the head: the
    /// product of both must not count.
    @Test
    @Timeout(value = 5, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void manyOptionsAreReadOnce() {
        var headers = Headers.of("Connection", ",".repeat(1 << 20));
        HeaderFilter filter = HeaderFilter.of(headers);
        for (int i = 0; i < 2_000; i++) {
            assertTrue(filter.isForwarded("a" + i));
        }
    }
}
