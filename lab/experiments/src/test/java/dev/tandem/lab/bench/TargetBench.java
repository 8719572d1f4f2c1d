package dev.tandem.lab.bench;

import dev.tandem.http.ParsedTarget;
import dev.tandem.http.RequestTarget;
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

/// Checking and decoding a request target: once for each target that was not requested recently.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TargetBench {
    private static final byte[] PLAIN = bytes("/catalogue/shoes/42");
    private static final byte[] CODED = bytes("/caf%C3%A9/./menu/../today%20only?table=7&for=2");

    public TargetBench() {}

    @Benchmark
    public ParsedTarget plain() {
        return RequestTarget.parse("GET", PLAIN, 0, PLAIN.length);
    }

    @Benchmark
    public ParsedTarget coded() {
        return RequestTarget.parse("GET", CODED, 0, CODED.length);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
