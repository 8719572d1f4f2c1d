package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.AllocationMeter;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.h1.RequestHeadDecoder.Result;
import org.junit.jupiter.api.Test;

/// The work of the event loop for each request allocates nothing.
class AllocationTest {
    private static final byte[] REQUEST =
            SplitInput.bytes(
                    SplitInput.request(
                            "Connection: keep-alive\r\nUser-Agent: x/1.0\r\nX-Unknown: y\r\n"
                                    + "Content-Length: 12\r\nIf-None-Match: \"1\"\r\n"));

    @Test
    void decodingAHeadAllocatesNothing() throws ReflectiveOperationException {
        var decoder = new RequestHeadDecoder(Http1Limits.DEFAULT);
        AllocationMeter.assertAllocatesNothing(() -> decodeOne(decoder));
    }

    @Test
    void writingAHeadAllocatesNothing() throws ReflectiveOperationException {
        var writer = new ResponseHeadWriter();
        byte[] date = SplitInput.bytes("Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n");
        AllocationMeter.assertAllocatesNothing(
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
}
