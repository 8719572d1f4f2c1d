package dev.tandem.specweb;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/// Queries the simulator, on persistent connections. Safe for use by any thread.
///
/// A client of our own, as small as possible: it stands for a database driver, and its cost is part
/// of every page's.
final class Backend implements AutoCloseable {
    private static final int CONNECT_MILLIS = 2_000;

    /// Users have given up by then.
    private static final int RESPONSE_MILLIS = 10_000;

    /// The maximum number of idle connections; others are closed after their response. As many as a
    /// server has threads.
    private static final int IDLE_MAX = 256;

    private static final int LINE_MAX = 4_096;
    private static final int FIELDS_MAX = 100;
    private static final int RESPONSE_MAX = 1 << 20;

    private final InetSocketAddress address;
    private final String path;
    private final ConcurrentLinkedDeque<SimulatorConnection> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger idleCount = new AtomicInteger();
    private volatile boolean isClosed;

    /// The simulator has no response to the query.
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedException() {
            super("the simulator rejects the query");
        }
    }

    /// A connection to the simulator.
    private record SimulatorConnection(Socket socket, InputStream in) {
        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // The connection is of no use either way.
            }
        }
    }

    /// @param uri such as `http://127.0.0.1:8081/besim`
    /// @throws IllegalArgumentException if it is no such URI; the message quotes it
    Backend(String uri) {
        URI parsed = URI.create(uri);
        boolean isHttp = "http".equals(parsed.getScheme()) && parsed.getHost() != null;
        if (!isHttp || parsed.getRawPath().isEmpty()) {
            throw new IllegalArgumentException(
                    "specweb.besim must be http://HOST[:PORT]/PATH, was '" + uri + "'");
        }
        int port = parsed.getPort() < 0 ? 80 : parsed.getPort();
        address = new InetSocketAddress(parsed.getHost(), port);
        path = parsed.getRawPath();
    }

    /// Sends a query.
    ///
    /// @return the lines of data, split into fields
    /// @throws RefusedException if there is no such data
    /// @throws IOException if there is no response
    List<List<String>> query(int workload, int command, List<String> parameters)
            throws IOException {
        var query = new StringBuilder().append(workload).append('&').append(command);
        for (String parameter : parameters) {
            query.append('&').append(URLEncoder.encode(parameter, StandardCharsets.UTF_8));
        }
        String request =
                "GET "
                        + path
                        + "?"
                        + query
                        + " HTTP/1.1\r\nHost: "
                        + address.getHostString()
                        + "\r\n\r\n";
        return data(response(request.getBytes(StandardCharsets.US_ASCII)));
    }

    /// Uses an idle connection first: one that was closed meanwhile costs another attempt.
    private String response(byte[] request) throws IOException {
        SimulatorConnection kept = idle.pollFirst();
        if (kept != null) {
            idleCount.decrementAndGet();
            if (isSilent(kept) && beginsResponse(kept, request)) {
                return exchange(kept);
            }
        }
        SimulatorConnection line = connect();
        if (!beginsResponse(line, request)) {
            throw new EOFException("the simulator sends no response");
        }
        return exchange(line);
    }

    /// Checks for bytes after the last response, which would be taken for the next one.
    ///
    /// @return false if there are any; then the connection is closed
    private static boolean isSilent(SimulatorConnection line) {
        boolean isSilent = false;
        try {
            isSilent = line.in.available() == 0;
        } catch (IOException e) {
            isSilent = false;
        } finally {
            if (!isSilent) {
                line.close();
            }
        }
        return isSilent;
    }

    /// Sends a query. It is not repeated if the simulator is only slow.
    ///
    /// @return whether a response begins; else the connection had ended, and is closed
    private static boolean beginsResponse(SimulatorConnection line, byte[] request)
            throws SocketTimeoutException {
        boolean isThere = false;
        try {
            line.socket.getOutputStream().write(request);
            line.in.mark(1);
            isThere = line.in.read() >= 0;
            line.in.reset();
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            isThere = false;
        } finally {
            if (!isThere) {
                line.close();
            }
        }
        return isThere;
    }

    private SimulatorConnection connect() throws IOException {
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(RESPONSE_MILLIS);
            socket.connect(address, CONNECT_MILLIS);
            return new SimulatorConnection(
                    socket, new BufferedInputStream(socket.getInputStream()));
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private String exchange(SimulatorConnection line) throws IOException {
        String content = null;
        try {
            content = content(line);
            return content;
        } finally {
            if (content == null) {
                line.close();
            } else {
                keep(line);
            }
        }
    }

    private static String content(SimulatorConnection line) throws IOException {
        String status = line(line.in);
        int length = -1;
        int fields = 0;
        for (String field = line(line.in); !field.isEmpty(); field = line(line.in)) {
            if (++fields > FIELDS_MAX) {
                throw new IOException("the simulator's response has endless headers");
            }
            String lower = field.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = length(lower.substring(lower.indexOf(':') + 1).strip());
            } else if (lower.startsWith("transfer-encoding:")) {
                throw new IOException("the simulator's response has a transfer coding");
            }
        }
        if (!status.startsWith("HTTP/1.1 200") || length < 0 || length > RESPONSE_MAX) {
            throw new IOException("the simulator responds with " + status);
        }
        byte[] content = line.in.readNBytes(length);
        if (content.length < length) {
            throw new EOFException("the simulator's response was cut");
        }
        if (line.in.available() > 0) {
            // These bytes would be taken for the response to another user's query.
            throw new IOException("the simulator sent bytes after its response");
        }
        return new String(content, StandardCharsets.UTF_8);
    }

    /// @return -1 if it is none
    private static int length(String text) {
        return text.matches("[0-9]{1,7}") ? Integer.parseInt(text) : -1;
    }

    private void keep(SimulatorConnection line) {
        if (idleCount.incrementAndGet() > IDLE_MAX) {
            idleCount.decrementAndGet();
            line.close();
        } else {
            idle.addFirst(line);
            if (isClosed) {
                close(); // that one, too
            }
        }
    }

    private static String line(InputStream in) throws IOException {
        var text = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || text.length() > LINE_MAX) {
                throw new EOFException("the simulator's response was cut");
            }
            text.append((char) next);
        }
        return text.toString().stripTrailing();
    }

    private static List<List<String>> data(String page) throws IOException {
        int from = page.indexOf("<pre>");
        int to = page.indexOf("</pre>");
        if (from < 0 || to < from) {
            throw new IOException("the simulator's response has no data");
        }
        List<String> lines = page.substring(from + "<pre>".length(), to).strip().lines().toList();
        if (lines.isEmpty() || !lines.getFirst().equals("0")) {
            throw new RefusedException();
        }
        return lines.stream().skip(1).map(line -> List.of(line.split("&", -1))).toList();
    }

    @Override
    public void close() {
        isClosed = true;
        for (SimulatorConnection line = idle.pollFirst(); line != null; line = idle.pollFirst()) {
            line.close();
        }
    }
}
