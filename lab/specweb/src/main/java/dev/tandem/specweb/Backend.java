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

/// Asks the simulator, on connections that are kept. Safe for use by any thread.
///
/// A client of our own, as small as can be: it stands for a driver that speaks to a database, and
/// its cost is every page's.
final class Backend implements AutoCloseable {
    private static final int CONNECT_MILLIS = 2_000;

    /// Visitors are gone by then.
    private static final int ANSWER_MILLIS = 10_000;

    /// Kept; others are closed after their answer. As many as a server has threads.
    private static final int IDLE_MAX = 256;

    private static final int LINE_MAX = 4_096;
    private static final int FIELDS_MAX = 100;
    private static final int ANSWER_MAX = 1 << 20;

    private final InetSocketAddress address;
    private final String path;
    private final ConcurrentLinkedDeque<Line> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger idleCount = new AtomicInteger();
    private volatile boolean isClosed;

    /// The simulator knows no answer to what was asked.
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedException() {
            super("the simulator refuses the question");
        }
    }

    /// A connection to it.
    private record Line(Socket socket, InputStream in) {
        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // It is of no more use either way.
            }
        }
    }

    /// @param uri such as `http://127.0.0.1:8081/besim`
    /// @throws IllegalArgumentException if it is no such URI; says so
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

    /// Asks.
    ///
    /// @return the lines of data, their fields parted
    /// @throws RefusedException if what was asked for is not there
    /// @throws IOException if there is no answer
    List<List<String>> ask(int workload, int command, List<String> parameters) throws IOException {
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
        return data(answer(request.getBytes(StandardCharsets.US_ASCII)));
    }

    /// On a kept connection first: one that has ended meanwhile costs another try.
    private String answer(byte[] request) throws IOException {
        Line kept = idle.pollFirst();
        if (kept != null) {
            idleCount.decrementAndGet();
            if (isSilent(kept) && begins(kept, request)) {
                return exchange(kept);
            }
        }
        Line line = connect();
        if (!begins(line, request)) {
            throw new EOFException("the simulator answers nothing");
        }
        return exchange(line);
    }

    /// Whether nothing has come since its last response, which would be taken for the next one.
    ///
    /// @return false if it is closed by that
    private static boolean isSilent(Line line) {
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

    /// Asks. Who only is slow is not asked again.
    ///
    /// @return whether an answer begins; else the connection had ended, and is closed
    private static boolean begins(Line line, byte[] request) throws SocketTimeoutException {
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

    private Line connect() throws IOException {
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.connect(address, CONNECT_MILLIS);
            return new Line(socket, new BufferedInputStream(socket.getInputStream()));
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private String exchange(Line line) throws IOException {
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

    private static String content(Line line) throws IOException {
        String status = line(line.in);
        int length = -1;
        int fields = 0;
        for (String field = line(line.in); !field.isEmpty(); field = line(line.in)) {
            if (++fields > FIELDS_MAX) {
                throw new IOException("the simulator's answer has no end of fields");
            }
            String lower = field.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = length(lower.substring(lower.indexOf(':') + 1).strip());
            } else if (lower.startsWith("transfer-encoding:")) {
                throw new IOException("the simulator's answer has a transfer coding");
            }
        }
        if (!status.startsWith("HTTP/1.1 200") || length < 0 || length > ANSWER_MAX) {
            throw new IOException("the simulator answers " + status);
        }
        byte[] content = line.in.readNBytes(length);
        if (content.length < length) {
            throw new EOFException("the simulator's answer was cut");
        }
        if (line.in.available() > 0) {
            // It would be taken for the answer to another visitor's question.
            throw new IOException("the simulator says more than it was asked");
        }
        return new String(content, StandardCharsets.UTF_8);
    }

    /// @return -1 if it is none
    private static int length(String text) {
        return text.matches("[0-9]{1,7}") ? Integer.parseInt(text) : -1;
    }

    private void keep(Line line) {
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
                throw new EOFException("the simulator's answer was cut");
            }
            text.append((char) next);
        }
        return text.toString().stripTrailing();
    }

    private static List<List<String>> data(String page) throws IOException {
        int from = page.indexOf("<pre>");
        int to = page.indexOf("</pre>");
        if (from < 0 || to < from) {
            throw new IOException("the simulator's answer has no data");
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
        for (Line line = idle.pollFirst(); line != null; line = idle.pollFirst()) {
            line.close();
        }
    }
}
