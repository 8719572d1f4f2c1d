package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.KnownHeader;
import dev.tandem.http.h1.RequestHeadDecoder.Result;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/// The work of the event loop for each request allocates nothing.
class AllocationTest {
    private static final int WARM_UP = 20_000;
    private static final int REQUESTS = 50_000;

    /// The maximum allocation of the measurement itself, in bytes: far less than one per request.
    private static final long TOLERANCE = 16_384;

    private static final byte[] REQUEST =
            SplitInput.bytes(
                    SplitInput.request(
                            "Connection: keep-alive\r\nUser-Agent: x/1.0\r\nX-Unknown: y\r\n"
                                    + "Content-Length: 12\r\nIf-None-Match: \"1\"\r\n"));

    @Test
    void decodingAHeadAllocatesNothing() throws ReflectiveOperationException {
        var decoder = new RequestHeadDecoder(Http1Limits.DEFAULT);
        assertAllocatesNothing(() -> decodeOne(decoder));
    }

    @Test
    void writingAHeadAllocatesNothing() throws ReflectiveOperationException {
        var writer = new ResponseHeadWriter();
        byte[] date = SplitInput.bytes("Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n");
        assertAllocatesNothing(
                () ->
                        writer.reset()
                                .status(200)
                                .date(date)
                                .header("ETag", "\"1\"")
                                .contentLength(1_234_567)
                                .end());
    }

    private static void decodeOne(RequestHeadDecoder decoder) {
        assertTrue(decoder.decode(REQUEST, 0, REQUEST.length) == Result.COMPLETE);
        Http1RequestHead head = decoder.head();
        boolean isAsSent =
                head.method() == "POST"
                        && head.isKeepAlive()
                        && head.contentLength() == 12
                        && head.isExactly(KnownHeader.IF_NONE_MATCH, "\"1\"");
        assertTrue(isAsSent);
        decoder.reset();
    }

    private static void assertAllocatesNothing(Runnable request)
            throws ReflectiveOperationException {
        var meter = new Meter();
        repeat(request, WARM_UP);
        long before = meter.allocatedBytes();
        repeat(request, REQUESTS);
        long allocated = meter.allocatedBytes() - before;
        assertEquals(
                0, allocated / TOLERANCE, () -> allocated + " bytes in " + REQUESTS + " requests");
    }

    private static void repeat(Runnable request, int times) {
        for (int i = 0; i < times; i++) {
            request.run();
        }
    }

    /// Returns the number of bytes that this thread has allocated. Uses reflection, because this
    /// module does not read `java.management`, and should not do so for a test.
    private static final class Meter {
        private final Object threads;
        private final Method allocated;

        Meter() throws ReflectiveOperationException {
            threads =
                    Class.forName("java.lang.management.ManagementFactory")
                            .getMethod("getThreadMXBean")
                            .invoke(null);
            allocated =
                    Class.forName("com.sun.management.ThreadMXBean")
                            .getMethod("getCurrentThreadAllocatedBytes");
        }

        long allocatedBytes() throws ReflectiveOperationException {
            return (long) allocated.invoke(threads);
        }
    }
}
