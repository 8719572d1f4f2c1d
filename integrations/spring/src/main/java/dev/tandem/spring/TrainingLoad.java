package dev.tandem.spring;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// GET requests for some paths of this machine, as a few browsers send them at the same time: over
/// kept connections, some of which are new, for compressed responses.
final class TrainingLoad {
    /// As many connections as [HttpURLConnection] keeps for a server.
    private static final int CONNECTIONS = 5;

    /// At most, where each request takes long.
    private static final int SECONDS_MAX = 30;

    private static final int TIMEOUT_MILLIS = 10_000;

    /// One of so many requests is the last of its connection.
    private static final int CLOSING = 20;

    private final URI origin;
    private final List<String> paths;
    private final int requests;
    private final long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    private final AtomicInteger sent = new AtomicInteger();
    private final Set<String> served = ConcurrentHashMap.newKeySet();

    private TrainingLoad(URI origin, List<String> paths, int requests) {
        this.origin = origin;
        this.paths = paths;
        this.requests = requests;
    }

    /// @param requests number of responses
    /// @param seconds how long it took
    /// @param failed paths that were never served with a status of 200 to 299
    record Result(int requests, int seconds, Set<String> failed) {}

    /// Returns when the requests have had their responses, or after 30 s.
    ///
    /// @param origin scheme, host and port; any certificate is accepted
    /// @param paths each begins with a slash
    /// @throws IOException if a connection fails
    static Result run(URI origin, List<String> paths, int requests)
            throws IOException, InterruptedException {
        return new TrainingLoad(origin, paths, requests).run();
    }

    private Result run() throws IOException, InterruptedException {
        long start = System.nanoTime();
        var tasks = new ArrayList<FutureTask<Boolean>>();
        for (int i = 0; i < CONNECTIONS; i++) {
            var task = new FutureTask<>(this::request, true);
            tasks.add(task);
            Thread.ofPlatform().daemon().start(task);
        }
        for (FutureTask<Boolean> task : tasks) {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            }
        }
        var failed = new TreeSet<>(paths);
        failed.removeAll(served);
        long nanos = System.nanoTime() - start;
        return new Result(sent.get(), (int) TimeUnit.NANOSECONDS.toSeconds(nanos), failed);
    }

    private void request() {
        try {
            SSLSocketFactory sockets = origin.getScheme().equals("https") ? trusting() : null;
            int number = sent.getAndIncrement();
            while (number < requests && System.nanoTime() - endNanos < 0) {
                request(paths.get(number % paths.size()), number, sockets);
                number = sent.getAndIncrement();
            }
            sent.getAndDecrement();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void request(String path, int number, @Nullable SSLSocketFactory sockets)
            throws IOException {
        var connection = (HttpURLConnection) origin.resolve(path).toURL().openConnection();
        if (sockets != null && connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(sockets);
            secure.setHostnameVerifier((host, session) -> true);
        }
        connection.setInstanceFollowRedirects(false);
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setRequestProperty("Accept", "text/html,application/json;q=0.9,*/*;q=0.8");
        connection.setRequestProperty("Accept-Encoding", "gzip");
        if (number % CLOSING == 0) {
            connection.setRequestProperty("Connection", "close");
        }
        int status = connection.getResponseCode();
        boolean isServed = status < HttpURLConnection.HTTP_BAD_REQUEST;
        if (status < HttpURLConnection.HTTP_MULT_CHOICE) {
            served.add(path);
        }
        // A body that is read to its end leaves the connection to the next request.
        InputStream body = isServed ? connection.getInputStream() : connection.getErrorStream();
        if (body != null) {
            try (body) {
                body.transferTo(OutputStream.nullOutputStream());
            }
        }
    }

    /// Accepts every certificate: the server is this process.
    private static SSLSocketFactory trusting() throws GeneralSecurityException {
        var trust =
                new X509TrustManager() {
                    @Override
                    public void checkClientTrusted(X509Certificate[] chain, String kind) {}

                    @Override
                    public void checkServerTrusted(X509Certificate[] chain, String kind) {}

                    @Override
                    public X509Certificate[] getAcceptedIssuers() {
                        return new X509Certificate[0];
                    }
                };
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {trust}, null);
        return context.getSocketFactory();
    }
}
