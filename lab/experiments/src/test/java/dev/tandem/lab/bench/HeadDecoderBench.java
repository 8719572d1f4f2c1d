package dev.tandem.lab.bench;

import dev.tandem.http.h1.Http1Limits;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h1.RequestHeadDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Decoding a request's head.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HeadDecoderBench {
    /// As load generators send it: 40 bytes.
    private static final byte[] WRK = bytes("GET /hello HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");

    /// As a browser sends it: fields, and lengths of their values, as in real requests.
    private static final byte[] BROWSER =
            bytes(
                    """
                    GET /assets/app.css?v=20251121 HTTP/1.1
                    Host: shop.example.org
                    Connection: keep-alive
                    User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Safari/537.36
                    Accept: text/css,*/*;q=0.1
                    Sec-Fetch-Site: same-origin
                    Sec-Fetch-Mode: no-cors
                    Sec-Fetch-Dest: style
                    Referer: https://shop.example.org/catalogue/shoes?page=2
                    Accept-Encoding: gzip, deflate, br, zstd
                    Accept-Language: en-GB,en;q=0.9,de;q=0.8
                    Cookie: session=8c1d2f3a4b5c6d7e8f90a1b2c3d4e5f6; consent=1; theme=dark
                    If-None-Match: "5f3a-197a2b3c4d5e6f"

                    """
                            .replace("\n", "\r\n"));

    private final RequestHeadDecoder decoder = new RequestHeadDecoder(Http1Limits.DEFAULT);

    public HeadDecoderBench() {}

    @Benchmark
    public int wrk() {
        return decode(WRK);
    }

    @Benchmark
    public int browser() {
        return decode(BROWSER);
    }

    private int decode(byte[] request) {
        if (decoder.decode(request, 0, request.length) != RequestHeadDecoder.Result.COMPLETE) {
            throw new IllegalStateException("the head is not decoded");
        }
        Http1RequestHead head = decoder.head();
        int length = head.length();
        decoder.reset();
        return length;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
