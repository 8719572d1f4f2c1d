package dev.tandem.lab;

import dev.tandem.trace.Trace;
import dev.tandem.trace.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Records a target for a while, on a thread of its own, while others load it.
final class Recorder {
    private static final int PATIENCE_MILLIS = 5_000;
    private static final int LOOK_MILLIS = 50;

    /// 20 s for a recording to begin, or to be written.
    private static final int LOOKS_MAX = 400;

    /// A minute until everything is there: the two above, and the file.
    private static final int JOIN_MILLIS_MAX = 60_000;

    private final IntSupplier port;
    private final Path file;
    private final Thread thread;

    /// Written by the thread before it ends.
    private @Nullable Trace trace;

    private String failure = "it was not finished in a minute";

    /// @param port of the target's management, read when the recording begins
    /// @param file for the recording
    /// @param waitMillis until it begins
    /// @param forMillis duration
    Recorder(IntSupplier port, Path file, long waitMillis, long forMillis) {
        this.port = port;
        this.file = file;
        thread = new Thread(null, () -> record(waitMillis, forMillis), "lab-recorder", 0, false);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /// Waits for its end.
    ///
    /// @throws LabException if it failed
    Trace trace() throws LabException, InterruptedException {
        thread.join(JOIN_MILLIS_MAX);
        Trace done = thread.isAlive() ? null : trace;
        if (done == null) {
            throw new LabException("not recorded: " + failure);
        }
        return done;
    }

    private void record(long waitMillis, long forMillis) {
        try {
            Thread.sleep(waitMillis);
            int at = port.getAsInt();
            request(at, "POST", "/trace/begin");
            await(at, "recording");
            Thread.sleep(forMillis);
            request(at, "POST", "/trace/end");
            await(at, "ready");
            HttpURLConnection connection = open(at, "GET", "/trace/file");
            try (InputStream in = connection.getInputStream()) {
                Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            }
            trace = TraceReader.read(file);
        } catch (IOException | RuntimeException e) {
            failure = String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            failure = "interrupted";
        }
    }

    private static void await(int port, String wanted) throws IOException, InterruptedException {
        String said = "";
        for (int look = 0; look < LOOKS_MAX; look++) {
            said = request(port, "GET", "/trace");
            if (said.startsWith(wanted)) {
                return;
            }
            if (said.startsWith("failed")) {
                throw new IOException(said);
            }
            Thread.sleep(LOOK_MILLIS);
        }
        throw new IOException("the target is still " + said);
    }

    private static String request(int port, String method, String path) throws IOException {
        try (InputStream in = open(port, method, path).getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }

    private static HttpURLConnection open(int port, String method, String path) throws IOException {
        var url = URI.create("http://127.0.0.1:" + port + path).toURL();
        var connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
        connection.setRequestMethod(method);
        connection.setConnectTimeout(PATIENCE_MILLIS);
        connection.setReadTimeout(PATIENCE_MILLIS);
        return connection;
    }
}
