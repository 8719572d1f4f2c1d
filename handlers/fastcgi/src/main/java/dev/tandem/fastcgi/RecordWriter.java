package dev.tandem.fastcgi;

import dev.tandem.upstream.UpstreamConnection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Writes the records of one request (FastCGI 1.0, sections 3 and 5). Connections are not
/// multiplexed, since php-fpm and nearly all other applications handle one request at a time. Each
/// request of a connection has another id, so that data which an application sends for a request
/// that it has ended is not read as the next response.
///
///     | version 1 | type | request id | content length | padding length | reserved |  8 bytes
final class RecordWriter {
    static final int VERSION = 1;
    static final int BEGIN_REQUEST = 1;
    static final int ABORT_REQUEST = 2;
    static final int END_REQUEST = 3;
    static final int PARAMS = 4;
    static final int STDIN = 5;
    static final int STDOUT = 6;
    static final int STDERR = 7;
    static final int DATA = 8;
    static final int GET_VALUES = 9;
    static final int GET_VALUES_RESULT = 10;
    static final int UNKNOWN_TYPE = 11;

    static final int HEADER = 8;

    /// Ids have two bytes, and 0 is that of management records.
    private static final int REQUEST_IDS = 65_535;

    private static final int RESPONDER = 1;
    private static final int KEEP_CONNECTION = 1;

    /// Maximum content of a record: 65,535 bytes; a multiple of eight needs no padding.
    private static final int CONTENT_MAX = 65_528;

    /// Longer lengths take four bytes.
    private static final int SHORT_MAX = 127;

    private final UpstreamConnection connection;
    private final int requestId;

    RecordWriter(UpstreamConnection connection) {
        this.connection = connection;
        this.requestId = 1 + connection.uses() % REQUEST_IDS;
    }

    /// The id of the request: 1 for the first of a connection.
    int requestId() {
        return requestId;
    }

    void beginRequest(boolean isKeepAlive) throws IOException {
        header(BEGIN_REQUEST, requestId, 8);
        byte[] body = {0, RESPONDER, (byte) (isKeepAlive ? KEEP_CONNECTION : 0), 0, 0, 0, 0, 0};
        connection.write(body, 0, body.length);
    }

    /// @param variables each as `NAME=value`; every character stands for one byte
    void params(List<String> variables) throws IOException {
        byte[] pairs = pairs(variables);
        stream(PARAMS, pairs, 0, pairs.length);
        header(PARAMS, requestId, 0);
    }

    /// @param length more than 0
    void stdin(byte[] bytes, int from, int length) throws IOException {
        stream(STDIN, bytes, from, length);
    }

    void endStdin() throws IOException {
        header(STDIN, requestId, 0);
    }

    /// Queries the application's capabilities, to which every application responds.
    void getValues() throws IOException {
        byte[] pairs = pairs(List.of("FCGI_MPXS_CONNS="));
        header(GET_VALUES, 0, pairs.length);
        connection.write(pairs, 0, pairs.length);
    }

    private void stream(int type, byte[] bytes, int from, int length) throws IOException {
        int at = from;
        int left = length;
        while (left > 0) {
            int count = Math.min(left, CONTENT_MAX);
            header(type, requestId, count);
            connection.write(bytes, at, count);
            at += count;
            left -= count;
        }
    }

    private void header(int type, int id, int length) throws IOException {
        byte[] header = {
            VERSION,
            (byte) type,
            (byte) (id >> 8),
            (byte) id,
            (byte) (length >> 8),
            (byte) length,
            0,
            0
        };
        connection.write(header, 0, HEADER);
    }

    /// Encodes names and values, each preceded by their lengths (section 3.4).
    static byte[] pairs(List<String> variables) {
        var out = new ByteArrayOutputStream(4_096);
        for (String variable : variables) {
            int equals = variable.indexOf('=');
            byte[] name = variable.substring(0, equals).getBytes(StandardCharsets.ISO_8859_1);
            byte[] value = variable.substring(equals + 1).getBytes(StandardCharsets.ISO_8859_1);
            length(out, name.length);
            length(out, value.length);
            out.writeBytes(name);
            out.writeBytes(value);
        }
        return out.toByteArray();
    }

    private static void length(ByteArrayOutputStream out, int length) {
        if (length > SHORT_MAX) {
            out.write(length >> 24 | 0x80);
            out.write(length >> 16);
            out.write(length >> 8);
        }
        out.write(length);
    }

    /// Returns whether the application responds to [#getValues()], and so is healthy.
    static boolean isHealthy(UpstreamConnection connection) throws IOException {
        new RecordWriter(connection).getValues();
        connection.flush();
        while (connection.input().remaining() < HEADER) {
            if (!connection.read()) {
                return false;
            }
        }
        int at = connection.input().position();
        return connection.input().get(at) == VERSION
                && connection.input().get(at + 1) == GET_VALUES_RESULT;
    }
}
