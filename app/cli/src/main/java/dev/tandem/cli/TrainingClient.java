package dev.tandem.cli;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// The client of a [TrainingRun], in a process of its own: requests of typical kinds, by HTTP/1.1
/// and HTTP/2, with and without TLS. It checks only that there are responses.
final class TrainingClient {
    private static final int TIMEOUT_MILLIS = 10_000;

    /// Enough for the JVM to profile methods and to compile what each request needs.
    private static final int REPETITIONS = 300;

    /// Rounds of handshakes: one full, one resumed. Enough for the JVM to profile their methods.
    private static final int HANDSHAKES = 150;

    /// One minute of an open console, whose first readings would otherwise cost as much as all
    /// later ones, because they are not compiled yet.
    private static final int CONSOLE_REPETITIONS = 60;

    /// Connections of the load, and requests of each, so that a loop's iteration has several, and
    /// often enough for the optimizing compiler.
    private static final int LOAD_CONNECTIONS = 8;

    private static final int LOAD_REQUESTS = 2_500;

    /// The same for handshakes, on connections one after the other.
    private static final int LOAD_HANDSHAKE_THREADS = 4;

    private static final int LOAD_HANDSHAKES = 60;

    private static final String HOST = "\r\nHost: localhost\r\n";

    /// A time after the file's, as it is then: nothing has changed since.
    private static final String LATER =
            DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)) + "\r\n";

    /// `serve` has only the files, and responds with 404 to the others, which are trained, too.
    private static final List<String> REQUESTS =
            List.of(
                    "GET /hello HTTP/1.1" + HOST,
                    "GET /hello-loop HTTP/1.1" + HOST,
                    "GET /block?ms=0 HTTP/1.1" + HOST,
                    "GET /db HTTP/1.1" + HOST,
                    "GET /file.bin HTTP/1.1" + HOST,
                    "GET /page.html HTTP/1.1" + HOST + "Accept-Encoding: gzip, zstd\r\n",
                    "GET /file.bin HTTP/1.1" + HOST + "Range: bytes=0-99\r\n",
                    "HEAD /file.bin HTTP/1.1" + HOST,
                    "GET /page.html HTTP/1.1" + HOST + "If-Modified-Since: " + LATER,
                    "POST /echo HTTP/1.1" + HOST + "Content-Length: 0\r\n");

    /// Links of pages on the same server.
    private static final Pattern LINK = Pattern.compile("href=\"/([^/\"][^\"#]*)\"");

    private static final int PAGES_MAX = 20;
    private static final int PAGE_REPETITIONS = 30;

    /// What most servers are asked for most: those of them that the server has are its load.
    private static final List<String> HOT =
            List.of(
                    "GET /hello HTTP/1.1" + HOST,
                    "GET /db HTTP/1.1" + HOST,
                    "GET /file.bin HTTP/1.1" + HOST,
                    "GET /page.html HTTP/1.1" + HOST,
                    "GET / HTTP/1.1" + HOST);

    /// Bytes of an upload: more than the engine collects before it dispatches.
    private static final int UPLOADS = 20;
    private static final String UPLOAD = "a".repeat(100_000);

    private static final String LARGE = "GET /large.bin HTTP/1.1" + HOST;
    private static final String WITH_BODY = "POST /echo HTTP/1.1" + HOST + "Content-Length: 2\r\n";
    private static final String MALFORMED = "GET /file.bin HTTP/1.1\r\nno header\r\n";

    private static final List<String> CONSOLE =
            List.of(
                    "GET /console/state HTTP/1.1" + HOST,
                    "GET /explain HTTP/1.1" + HOST,
                    "GET /metrics HTTP/1.1" + HOST);

    private TrainingClient() {}

    /// @param arguments the port of the server; `tls:PORT` and `management:PORT`, if it has them
    public static void main(String[] arguments)
            throws IOException, GeneralSecurityException, InterruptedException {
        int port = Integer.parseInt(arguments[0]);
        try (Socket socket = connect(port)) {
            request(socket, REPETITIONS);
            requestPages(socket);
            upload(socket);
        }
        load(() -> connect(port));
        // A servlet container responds by HTTP/1.1 only.
        boolean hasHttp2 = speaksHttp2(port);
        if (hasHttp2) {
            try (Socket socket = connect(port)) {
                requestHttp2(socket, REPETITIONS);
            }
        }
        for (int i = 0; i < HANDSHAKES; i++) {
            try (Socket socket = connect(port)) {
                send(socket, i % 2 == 0 ? REQUESTS.getFirst() : MALFORMED, "");
                receive(input(socket), false);
            }
        }
        for (String other : Arrays.asList(arguments).subList(1, arguments.length)) {
            int colon = other.indexOf(':');
            int otherPort = Integer.parseInt(other.substring(colon + 1));
            if (other.startsWith("tls:")) {
                requestWithTls(otherPort, hasHttp2);
            } else {
                requestConsole(otherPort);
            }
        }
    }

    /// Opens a connection.
    @FunctionalInterface
    private interface Connector {
        Socket connect() throws IOException;
    }

    @FunctionalInterface
    private interface Part {
        void run() throws IOException, GeneralSecurityException;
    }

    /// Sends requests on several connections at the same time.
    private static void load(Connector connector)
            throws IOException, GeneralSecurityException, InterruptedException {
        var served = new ArrayList<String>();
        try (Socket socket = connector.connect()) {
            for (String request : HOT) {
                send(socket, request, "");
                if (receiveResponse(input(socket), false).isOk) {
                    served.add(request);
                }
            }
        }
        if (served.isEmpty()) {
            return;
        }
        inParallel(
                LOAD_CONNECTIONS,
                () -> {
                    try (Socket socket = connector.connect()) {
                        InputStream in = input(socket);
                        for (int i = 0; i < LOAD_REQUESTS; i++) {
                            send(socket, served.get(i % served.size()), "");
                            receive(in, false);
                        }
                    }
                });
    }

    private static void handshakes(int port) throws IOException, GeneralSecurityException {
        for (int i = 0; i < LOAD_HANDSHAKES; i++) {
            SSLContext fresh = trusting();
            for (int connection = 0; connection < 2; connection++) {
                try (SSLSocket socket = connectWithTls(fresh, port, "TLSv1.3", "http/1.1")) {
                    send(socket, HOT.getFirst(), "");
                    receive(input(socket), false);
                }
            }
        }
    }

    private static void inParallel(int threads, Part part)
            throws IOException, GeneralSecurityException, InterruptedException {
        var tasks = new ArrayList<FutureTask<@Nullable Void>>();
        for (int i = 0; i < threads; i++) {
            var task =
                    new FutureTask<@Nullable Void>(
                            () -> {
                                part.run();
                                return null;
                            });
            tasks.add(task);
            Thread.ofPlatform().daemon().start(task);
        }
        for (FutureTask<@Nullable Void> task : tasks) {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            }
        }
    }

    private static Socket connect(int port) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static void requestConsole(int port) throws IOException {
        try (Socket socket = connect(port)) {
            var in = input(socket);
            for (int i = 0; i < CONSOLE_REPETITIONS; i++) {
                for (String request : CONSOLE) {
                    send(socket, request + "Accept: application/json\r\n", "");
                    receive(in, false);
                }
            }
        }
    }

    private static void requestWithTls(int port, boolean hasHttp2)
            throws IOException, GeneralSecurityException, InterruptedException {
        for (String version : List.of("TLSv1.3", "TLSv1.2")) {
            // TLS 1.2 is rare, and only its handshake is different.
            for (int i = 0; i < (version.equals("TLSv1.3") ? HANDSHAKES : 1); i++) {
                SSLContext fresh = trusting();
                for (int connection = 0; connection < 2; connection++) {
                    try (SSLSocket socket = connectWithTls(fresh, port, version, "http/1.1")) {
                        send(socket, REQUESTS.get(i % REQUESTS.size()), "");
                        receive(input(socket), REQUESTS.get(i % REQUESTS.size()).startsWith("H"));
                    }
                }
            }
        }
        inParallel(LOAD_HANDSHAKE_THREADS, () -> handshakes(port));
        SSLContext context = trusting();
        load(() -> connectWithTls(context, port, "TLSv1.3", "http/1.1"));
        try (SSLSocket socket = connectWithTls(context, port, "TLSv1.3", "http/1.1")) {
            request(socket, REPETITIONS);
        }
        if (hasHttp2) {
            try (SSLSocket socket = connectWithTls(context, port, "TLSv1.3", "h2")) {
                requestHttp2(socket, REPETITIONS);
            }
        }
    }

    private static SSLSocket connectWithTls(
            SSLContext context, int port, String version, String protocol) throws IOException {
        var socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        var parameters = socket.getSSLParameters();
        parameters.setProtocols(new String[] {version});
        parameters.setApplicationProtocols(new String[] {protocol});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /// Returns a context without sessions to resume, which trusts every certificate: the training
    /// run has made it a moment ago.
    private static SSLContext trusting() throws GeneralSecurityException {
        var all =
                new X509TrustManager() {
                    @Override
                    public void checkClientTrusted(X509Certificate[] chain, String type) {}

                    @Override
                    public void checkServerTrusted(X509Certificate[] chain, String type) {}

                    @Override
                    public X509Certificate[] getAcceptedIssuers() {
                        return new X509Certificate[0];
                    }
                };
        var context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {all}, null);
        return context;
    }

    private static void request(Socket socket, int times) throws IOException {
        var in = input(socket);
        for (int i = 0; i < times; i++) {
            for (String request : REQUESTS) {
                send(socket, request, "");
                receive(in, request.startsWith("HEAD"));
            }
            send(socket, WITH_BODY, "hi");
            receive(in, false);
            if (i % 10 == 0) {
                send(socket, LARGE, "");
                receive(in, false);
            }
        }
    }

    /// Sends bodies that arrive in several parts, with their length and in chunks, if the server
    /// accepts any.
    private static void upload(Socket socket) throws IOException {
        InputStream in = input(socket);
        send(socket, WITH_BODY, "hi");
        if (!receiveResponse(in, false).isOk) {
            return;
        }
        String head = "POST /echo HTTP/1.1" + HOST;
        String length = "Content-Length: " + UPLOAD.length() + "\r\n";
        String chunk = Integer.toHexString(UPLOAD.length()) + "\r\n" + UPLOAD + "\r\n0\r\n\r\n";
        for (int i = 0; i < UPLOADS; i++) {
            send(socket, head + length, UPLOAD);
            receive(in, false);
            send(socket, head + "Transfer-Encoding: chunked\r\n", chunk);
            receive(in, false);
        }
    }

    /// Requests the pages that the first one links to: those of an application.
    private static void requestPages(Socket socket) throws IOException {
        var in = input(socket);
        send(socket, "GET / HTTP/1.1" + HOST, "");
        Matcher links = LINK.matcher(receive(in, false));
        var pages = new LinkedHashSet<String>();
        while (links.find() && pages.size() < PAGES_MAX) {
            pages.add("/" + links.group(1).replace("&amp;", "&"));
        }
        for (int i = 0; i < PAGE_REPETITIONS; i++) {
            for (String page : pages) {
                send(socket, "GET " + page + " HTTP/1.1" + HOST, "");
                receive(in, false);
            }
        }
    }

    private static InputStream input(Socket socket) throws IOException {
        return new BufferedInputStream(socket.getInputStream());
    }

    private static void send(Socket socket, String head, String body) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write((head + "\r\n" + body).getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /// Returns the content.
    private static String receive(InputStream in, boolean isHead) throws IOException {
        return receiveResponse(in, isHead).content;
    }

    /// @param isOk whether its status is 200
    private record Response(boolean isOk, String content) {}

    private static Response receiveResponse(InputStream in, boolean isHead) throws IOException {
        String status = line(in);
        boolean isOk = status.contains(" 200 ");
        boolean isEmpty = isHead || status.contains(" 304 ") || status.contains(" 204 ");
        int length = isEmpty ? 0 : -1;
        boolean isChunked = false;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (!isEmpty && lower.startsWith("content-length:")) {
                length = Integer.parseInt(line.substring("content-length:".length()).strip());
            }
            isChunked |= !isEmpty && lower.startsWith("transfer-encoding:");
        }
        if (isChunked) {
            return new Response(isOk, chunks(in));
        }
        byte[] content = in.readNBytes(Math.max(length, 0));
        if (content.length != length) {
            throw new IOException("incomplete response: " + status);
        }
        return new Response(isOk, new String(content, StandardCharsets.ISO_8859_1));
    }

    private static String chunks(InputStream in) throws IOException {
        var content = new StringBuilder();
        for (int size = -1; size != 0; ) {
            size = Integer.parseInt(line(in), 16);
            content.append(new String(in.readNBytes(size), StandardCharsets.ISO_8859_1));
            line(in);
        }
        return content.toString();
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection was closed");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private static boolean speaksHttp2(int port) throws IOException {
        try (Socket socket = connect(port)) {
            requestHttp2(socket, 1);
            return true;
        } catch (EOFException e) {
            return false;
        }
    }

    /// Sends requests one after the other on one HTTP/2 connection (RFC 9113).
    private static void requestHttp2(Socket socket, int times) throws IOException {
        OutputStream out = socket.getOutputStream();
        var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.write(frame(4, 0, 0, new byte[0])); // SETTINGS
        // WINDOW_UPDATE of the connection: as much as all responses need.
        out.write(frame(8, 0, 0, ByteBuffer.allocate(4).putInt(1 << 30).array()));
        String[] paths = {"/hello", "/block?ms=0", "/file.bin", "/page.html"};
        for (int i = 0; i < times; i++) {
            int stream = 2 * i + 1;
            out.write(frame(1, 5, stream, headers(paths[i % paths.length]))); // HEADERS, complete
            out.flush();
            while (!endsStream(in, out, stream)) {
                // Frames of the connection, or more data.
            }
        }
    }

    /// Reads a frame, and returns whether it is the last one of the stream.
    private static boolean endsStream(DataInputStream in, OutputStream out, int stream)
            throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int id = in.readInt();
        byte[] payload = in.readNBytes(length);
        if (type == 4 && flags == 0) {
            out.write(frame(4, 1, 0, new byte[0]));
        }
        if (type == 6 && flags == 0) {
            out.write(frame(6, 1, 0, payload));
        }
        if (type == 3 || type == 7) {
            throw new IOException("the server ended HTTP/2");
        }
        return id == stream && type <= 1 && (flags & 1) != 0;
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /// Encodes a GET request's headers (RFC 7541, appendix A): method and scheme by their index,
    /// path and authority as literals of indexed names.
    private static byte[] headers(String path) {
        byte[] name = path.getBytes(StandardCharsets.US_ASCII);
        byte[] authority = "localhost".getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(6 + name.length + authority.length)
                .put((byte) 0x82)
                .put((byte) 0x86)
                .put((byte) 0x44)
                .put((byte) name.length)
                .put(name)
                .put((byte) 0x41)
                .put((byte) authority.length)
                .put(authority)
                .array();
    }
}
