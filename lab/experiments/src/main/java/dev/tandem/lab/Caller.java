package dev.tandem.lab;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// One HTTP/1.1 connection of a client that checks what it receives: shares no code with the
/// server. Blocks. Confined to one thread, except that one thread may send while another reads.
final class Caller implements AutoCloseable {
    /// Maximum time without input from the server.
    private static final int SILENCE_MILLIS_MAX = 10_000;

    /// Maximum body length; no response in the lab is longer.
    private static final int BODY_MAX = 16 << 20;

    private static final int LINE_MAX = 8_192;

    private static final int FIELDS_MAX = 100;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    private Caller(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /// A response.
    ///
    /// @param fields header values by their names in lower case; of several with one name the last
    record Reply(int status, Map<String, String> fields, byte[] body) {
        String field(String name) {
            return fields.getOrDefault(name, "");
        }
    }

    static Caller connect(int port) throws IOException {
        return over(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /// @param socket is closed with it, and if this fails
    static Caller over(Socket socket) throws IOException {
        try {
            socket.setSoTimeout(SILENCE_MILLIS_MAX);
            socket.setTcpNoDelay(true);
            return new Caller(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /// Returns the server's explanation of its decisions.
    ///
    /// @param port of its management, on the loopback
    /// @throws LabException if it does not respond
    static String explanation(int port) throws LabException {
        try (var caller = connect(port)) {
            return new String(caller.get("/explain").body(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new LabException("the server does not explain itself: " + e.getMessage());
        }
    }

    Reply get(String path) throws IOException {
        return get(path, "");
    }

    /// @param fields more header lines, each with its CRLF
    Reply get(String path, String fields) throws IOException {
        send(request(path, fields));
        return reply();
    }

    static String request(String path, String fields) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n";
    }

    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void send(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    /// Reads the next response; skips interim ones.
    ///
    /// @throws IOException if it is malformed or incomplete
    Reply reply() throws IOException {
        Reply reply = head();
        while (reply.status() < 200) {
            reply = head();
        }
        return new Reply(reply.status(), reply.fields(), body(reply));
    }

    private Reply head() throws IOException {
        String[] words = line().split(" ", 3);
        if (words.length < 3 || !words[0].equals("HTTP/1.1")) {
            throw new IOException("not a status line: " + String.join(" ", words));
        }
        int status = number(words[1], 10);
        var fields = new HashMap<String, String>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon < 1 || fields.size() == FIELDS_MAX) {
                throw new IOException("not a header section: " + line);
            }
            fields.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return new Reply(status, fields, new byte[0]);
    }

    private byte[] body(Reply head) throws IOException {
        if (head.status() == 204 || head.status() == 304) {
            return new byte[0];
        }
        if (head.field("transfer-encoding").equals("chunked")) {
            return chunks();
        }
        String length = head.field("content-length");
        return length.isEmpty() ? in.readAllBytes() : bytes(number(length, 10));
    }

    private byte[] chunks() throws IOException {
        var body = new ByteArrayOutputStream();
        for (int size = number(line(), 16); size > 0; size = number(line(), 16)) {
            body.write(bytes(size));
            if (!line().isEmpty() || body.size() > BODY_MAX) {
                throw new IOException("chunk of " + size + " bytes has another end");
            }
        }
        if (!line().isEmpty()) {
            throw new IOException("unannounced trailers");
        }
        return body.toByteArray();
    }

    private byte[] bytes(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new IOException("body ended after " + bytes.length + " of " + count + " bytes");
        }
        return bytes;
    }

    private static int number(String digits, int radix) throws IOException {
        try {
            int number = Integer.parseInt(digits, radix);
            if (number >= 0 && number <= BODY_MAX) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Reported below, like a number out of range.
        }
        throw new IOException("not a status or length: " + digits);
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection was closed");
            }
            if (line.length() == LINE_MAX) {
                throw new IOException("a line without an end");
            }
            line.append((char) c);
        }
        int last = line.length() - 1;
        if (last < 0 || line.charAt(last) != '\r') {
            throw new IOException("a line without CRLF: " + line);
        }
        return line.substring(0, last);
    }

    /// Reads until the server ends the stream or resets it.
    ///
    /// @return false if it keeps the connection open and silent
    boolean isClosedByServer() {
        try {
            in.transferTo(OutputStream.nullOutputStream());
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /// Closes so that the server receives a reset instead of an end of stream.
    void abort() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
