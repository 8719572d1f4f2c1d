package dev.tandem.lab;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Clients that download one file after the other, in a closed loop, and compare every byte.
final class Downloads {
    private static final int BUFFER = 65_536;
    private static final int PATIENCE_MILLIS = 60_000;
    /// Calls of a [Tick] in a second.
    private static final int TICKS = 4;

    private static final int RETRY_MILLIS = 100;

    private final SupportFiles files;
    private final int port;
    private final boolean takesCoded;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicInteger wrong = new AtomicInteger();
    private volatile @Nullable IOException failure;
    private volatile boolean isOver;

    /// @param takesCoded whether they accept zstd
    Downloads(SupportFiles files, int port, boolean takesCoded) {
        this.files = files;
        this.port = port;
        this.takesCoded = takesCoded;
    }

    /// Result of the downloads.
    ///
    /// @param bytes of files, decoded
    /// @param requests that got a complete response
    /// @param rejected with 503
    /// @param meanMillis of their response times, since the first attempt
    record Result(double seconds, long bytes, long requests, long rejected, double meanMillis) {}

    /// Runs clients for a while.
    ///
    /// @throws LabException if a byte was wrong, or a connection failed
    Result run(int clients, double seconds, long seed) throws LabException, InterruptedException {
        long begin = System.nanoTime();
        List<Thread> threads = begin(clients, seed);
        Thread.sleep((long) (seconds * 1_000));
        long done = bytes.get();
        long completed = requests.get();
        double took = (System.nanoTime() - begin) / 1e9;
        end(threads);
        return new Result(
                took,
                done,
                completed,
                rejected.get(),
                nanos.get() / 1e6 / Math.max(1, requests.get()));
    }

    /// Called while downloads run.
    interface Tick {
        /// @param second since they began
        void at(double second) throws LabException;
    }

    /// Runs clients for a while.
    ///
    /// @param tick called four times a second
    /// @return bytes received in each second
    /// @throws LabException if a byte was wrong, or a connection failed
    List<Double> course(int clients, int seconds, long seed, Tick tick)
            throws LabException, InterruptedException {
        var course = new ArrayList<Double>();
        long begin = System.nanoTime();
        List<Thread> threads = begin(clients, seed);
        long before = 0;
        for (int i = 1; i <= seconds * TICKS; i++) {
            long due = begin + i * 1_000_000_000L / TICKS;
            Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
            tick.at((double) i / TICKS);
            if (i % TICKS == 0) {
                long now = bytes.get();
                course.add((double) (now - before));
                before = now;
            }
        }
        end(threads);
        return course;
    }

    private List<Thread> begin(int clients, long seed) {
        bytes.set(0);
        requests.set(0);
        rejected.set(0);
        nanos.set(0);
        isOver = false;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            long own = seed * 1_000 + i;
            threads.add(Thread.ofPlatform().daemon().start(() -> runClient(own)));
        }
        return threads;
    }

    private void end(List<Thread> threads) throws LabException, InterruptedException {
        isOver = true;
        for (Thread thread : threads) {
            thread.join(PATIENCE_MILLIS);
        }
        IOException failed = failure;
        if (failed != null) {
            throw new LabException("a download failed: " + failed.getMessage());
        }
        if (wrong.get() > 0) {
            throw new LabException(wrong.get() + " downloads had wrong bytes");
        }
    }

    /// A client. It retries a rejected file, so that all caches get the same requests: a client
    /// that requested another file instead would end up requesting files that are in memory.
    private static final class Client {
        final Random random;
        final byte[] buffer = new byte[BUFFER];
        SupportFiles.@Nullable File rejected;
        long askedNanos;

        Client(long seed) {
            this.random = new Random(seed);
        }

        SupportFiles.File choose(SupportFiles files) {
            SupportFiles.File again = rejected;
            rejected = null;
            if (again == null) {
                askedNanos = System.nanoTime();
                again = files.draw(random);
            }
            return again;
        }
    }

    private void runClient(long seed) {
        var client = new Client(seed);
        try {
            while (!isOver && downloadUntilRejected(client)) {
                Thread.sleep(RETRY_MILLIS); // rejected: retries on a new connection
            }
        } catch (IOException e) {
            if (!isOver) {
                failure = e;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Downloads over one connection. Returns whether a rejection ended it.
    private boolean downloadUntilRejected(Client client) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            var in = new BufferedInputStream(socket.getInputStream(), BUFFER);
            while (!isOver) {
                SupportFiles.File file = client.choose(files);
                String coding = takesCoded ? "Accept-Encoding: zstd\r\n" : "";
                String head = "GET " + file.path() + " HTTP/1.1\r\nHost: localhost\r\n" + coding;
                socket.getOutputStream()
                        .write((head + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                String status = line(in);
                if (status.startsWith("HTTP/1.1 503")) {
                    rejected.incrementAndGet();
                    client.rejected = file;
                    return true;
                }
                if (!status.startsWith("HTTP/1.1 200")) {
                    throw new IOException("status: " + status);
                }
                if (!download(in, file, client.buffer)) {
                    return false;
                }
                nanos.addAndGet(System.nanoTime() - client.askedNanos);
                requests.incrementAndGet();
            }
        }
        return false;
    }

    /// Returns whether the file was received completely; false when the time is over.
    private boolean download(InputStream in, SupportFiles.File file, byte[] buffer)
            throws IOException {
        long length = -1;
        boolean isCoded = false;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(lower.substring(15).strip());
            }
            isCoded |= lower.startsWith("content-encoding: zstd");
        }
        var content = new Limited(in, length);
        long done = 0;
        try (InputStream plain = isCoded ? new ZstdInputStream(content) : content) {
            for (int n = plain.read(buffer); n > 0; n = plain.read(buffer)) {
                if (isOver) {
                    return false;
                }
                if (!files.are(buffer, n, file, done)) {
                    wrong.incrementAndGet();
                }
                done += n;
                bytes.addAndGet(n);
            }
        }
        if (done != file.size()) {
            wrong.incrementAndGet();
        }
        return true;
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        int c = in.read();
        while (c >= 0 && c != '\n') {
            line.append((char) c);
            c = in.read();
        }
        if (c < 0) {
            throw new IOException("the server closed the connection");
        }
        return line.toString().strip();
    }

    /// A body of a known length, which ends before the connection does.
    private static final class Limited extends InputStream {
        private final InputStream in;
        private long left;

        Limited(InputStream in, long length) {
            this.in = in;
            this.left = length;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int n = in.read(bytes, offset, (int) Math.min(left, length));
            if (n < 0) {
                throw new IOException("a response was cut off");
            }
            left -= n;
            return n;
        }
    }
}
