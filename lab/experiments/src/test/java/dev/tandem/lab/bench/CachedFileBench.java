package dev.tandem.lab.bench;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.files.Folder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// The complete path of a request for a cached file of 1 KiB on the loop, without the kernel: the
/// loop iterates, the head is decoded, the route and the file are found, the response is built.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class CachedFileBench {
    /// So many that the cost of waking the loop for each batch is negligible for a request.
    private static final int BATCH = 10_000;

    private static final byte[] REQUEST =
            "GET /1k.bin HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final RepeatedRequestNetwork network = new RepeatedRequestNetwork(REQUEST);
    private final Path root;
    private final Server server;

    public CachedFileBench() {
        try {
            root = Files.createTempDirectory("tandem-bench-");
            Path file = Files.write(root.resolve("1k.bin"), new byte[1024]);
            Files.setLastModifiedTime(file, FileTime.fromMillis(0));
            server =
                    Tandem.listen("127.0.0.1", 0)
                            .network(network)
                            .options(Options.DEFAULT.withThreads(t -> t.withLoops(1)))
                            .get("/{path...}", Folder.of(root))
                            .start();
        } catch (IOException e) {
            throw new IllegalStateException("the benchmark's server does not start", e);
        }
    }

    /// The first request reads the file.
    @Setup(Level.Trial)
    public void warm() {
        network.request(BATCH);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void request() {
        network.request(BATCH);
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
        server.stop(Duration.ZERO);
        Files.deleteIfExists(root.resolve("1k.bin"));
        Files.delete(root);
    }
}
