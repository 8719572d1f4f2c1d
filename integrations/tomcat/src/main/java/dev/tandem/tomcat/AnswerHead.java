package dev.tandem.tomcat;

import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.http.FieldSyntax;
import dev.tandem.http.h1.ResponseHeadWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.coyote.Constants;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.HeadersTooLargeException;
import org.apache.tomcat.util.http.Method;
import org.apache.tomcat.util.http.MimeHeaders;
import org.apache.tomcat.util.http.parser.TokenList;
import org.jspecify.annotations.Nullable;

/// Decides how an answer travels, and sends its head. Used again for the next answer.
final class AnswerHead {
    private static final int CONTINUE_MAX = 199;
    private static final int STATUS_MAX = 599;
    private static final String CONNECTION = "Connection";
    private static final String KEEP_ALIVE = "keep-alive";

    /// Status lines, by their numbers.
    private static final byte[][] LINES = new byte[STATUS_MAX + 1][];

    static {
        for (int status = 100; status <= STATUS_MAX; status++) {
            LINES[status] = line(status);
        }
    }

    private final TandemProtocol protocol;
    private final Request request;
    private final Response response;
    private @Nullable FileStretch file;

    /// What is sent in place of content that was written.
    record FileStretch(Path path, long offset, long length) {}

    AnswerHead(TandemProtocol protocol, Request request, Response response) {
        this.protocol = protocol;
        this.request = request;
        this.response = response;
    }

    void recycle() {
        file = null;
    }

    @Nullable FileStretch takeFile() {
        FileStretch taken = file;
        file = null;
        return taken;
    }

    /// As Tomcat: those after which client and server may not agree on what comes next.
    static boolean dropsConnection(int status) {
        return switch (status) {
            case 400, 408, 411, 413, 414, 500, 503, 501 -> true;
            default -> false;
        };
    }

    /// Whether another request may follow, as far as the head tells.
    boolean mayKeep(boolean isKept, boolean isLongBodyUnread) throws IOException {
        return isKept
                && !isLongBodyUnread
                && !dropsConnection(response.getStatus())
                && !says(response.getMimeHeaders(), "close")
                && (hasEnd() || isHead() || !hasEntity());
    }

    private boolean hasEnd() {
        return response.getContentLengthLong() >= 0 || !isOld();
    }

    private boolean isOld() {
        return !request.protocol().equals("HTTP/1.1");
    }

    private boolean isHead() {
        return Method.HEAD.equals(request.getMethod());
    }

    private boolean hasEntity() {
        int status = response.getStatus();
        return status > CONTINUE_MAX && status != 204 && status != 205 && status != 304;
    }

    void send(ContainerExchange wire, AnswerOutput output, boolean isKept) throws IOException {
        MimeHeaders fields = response.getMimeHeaders();
        findFile();
        boolean isZipped =
                hasEntity() && file == null && protocol.useCompression(request, response);
        if (!hasEntity()) {
            response.setContentLength(response.getStatus() == 205 ? 0 : -1);
        }
        describe(fields);
        fields.removeHeader("Transfer-Encoding"); // how it travels is not an application's to say
        AnswerOutput.Framing framing = framing(fields, isKept);
        if (framing == AnswerOutput.Framing.CHUNKED) {
            fields.addValue("Transfer-Encoding").setString("chunked");
        }
        connection(fields, isKept);
        server(fields);
        output.frame(
                isHead() || !hasEntity() || file != null ? AnswerOutput.Framing.NONE : framing,
                isZipped ? -1 : response.getContentLengthLong(),
                isZipped);
        ResponseHeadWriter writer = wire.headWriter();
        status(writer, response.getStatus());
        write(wire, writer, fields);
        if (fields.getValue("Date") == null) {
            writer.date(wire.dateLine());
        }
        if (framing != AnswerOutput.Framing.CHUNKED && response.getContentLengthLong() >= 0) {
            writer.contentLength(response.getContentLengthLong());
        }
        writer.end();
        if (writer.length() > protocol.getMaxHttpResponseHeaderSize()) {
            throw new HeadersTooLargeException(
                    "an answer's head has "
                            + writer.length()
                            + " bytes, more than maxHttpResponseHeaderSize allows: "
                            + protocol.getMaxHttpResponseHeaderSize());
        }
        response.setCommitted(true);
        if (wire.head().isHttp09()) {
            writer.reset();
        }
        wire.begin(Math.clamp(response.getStatus(), 200, STATUS_MAX), writer);
    }

    private AnswerOutput.Framing framing(MimeHeaders fields, boolean isKept) throws IOException {
        boolean isUnknown = response.getContentLengthLong() < 0;
        boolean hasTrailers = response.getTrailerFields() != null;
        boolean mayChunk = !isOld() && hasEntity() && !isHead();
        if (mayChunk && (hasTrailers || isUnknown && !says(fields, "close"))) {
            return AnswerOutput.Framing.CHUNKED;
        }
        return AnswerOutput.Framing.PLAIN;
    }

    private void describe(MimeHeaders fields) {
        if (hasEntity() || response.getStatus() == 204) {
            String type = response.getContentType();
            if (type != null) {
                fields.setValue("Content-Type").setString(type);
            }
            String language = response.getContentLanguage();
            if (language != null) {
                fields.setValue("Content-Language").setString(language);
            }
        }
    }

    private void connection(MimeHeaders fields, boolean isKept) throws IOException {
        if (!isKept) {
            if (!says(fields, "close")) {
                fields.addValue(CONNECTION).setString("close");
            }
            return;
        }
        boolean isPromised = promisesTime();
        if (isPromised) {
            long seconds = protocol.getKeepAliveTimeout() / 1000L;
            fields.setValue("Keep-Alive").setString("timeout=" + seconds);
        }
        if (isPromised || isOld()) {
            fields.addValue(CONNECTION).setString(KEEP_ALIVE);
        }
    }

    /// Whether to say how long the connection may be idle, to a client that wants to keep it.
    /// It may be for longer.
    private boolean promisesTime() throws IOException {
        return protocol.getUseKeepAliveResponseHeader()
                && protocol.getKeepAliveTimeout() > 0
                && says(request.getMimeHeaders(), KEEP_ALIVE);
    }

    private void server(MimeHeaders fields) {
        String server = protocol.getServer();
        if (server != null) {
            fields.setValue("Server").setString(server);
        } else if (protocol.getServerRemoveAppProvidedValues()) {
            fields.removeHeader("server");
        }
    }

    private static boolean says(MimeHeaders fields, String token) throws IOException {
        if (fields.getValue(CONNECTION) == null) {
            return false;
        }
        Set<String> tokens = new HashSet<>();
        TokenList.parseTokenList(fields.values(CONNECTION), tokens);
        return tokens.contains(token);
    }

    /// Without a reason, as Tomcat sends it.
    private static void status(ResponseHeadWriter writer, int status) {
        byte[] line = status >= 0 && status < LINES.length ? LINES[status] : null;
        writer.header(line == null ? line(status) : line);
    }

    private static byte[] line(int status) {
        return ("HTTP/1.1 " + status + " \r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static void write(
            ContainerExchange wire, ResponseHeadWriter writer, MimeHeaders fields) {
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.getName(i).toStringType();
            String value = FieldText.of(fields.getValue(i));
            if (value == null) {
                continue;
            }
            if (name.equalsIgnoreCase("Set-Cookie")) {
                wire.setsCookie(value);
            }
            // Catalina takes any name; one that is none would be a line of its own, perhaps.
            if (!name.equalsIgnoreCase("Content-Length") && FieldSyntax.isToken(name)) {
                writer.header(name, value);
            }
        }
    }

    /// An answer before the answer (RFC 8297).
    ResponseHeadWriter interim(ContainerExchange wire) {
        ResponseHeadWriter writer = wire.headWriter().status(103);
        MimeHeaders fields = response.getMimeHeaders();
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.getName(i).toStringType();
            String value = FieldText.of(fields.getValue(i));
            if (value != null && FieldSyntax.isToken(name)) {
                writer.header(name, value);
            }
        }
        return writer.end();
    }

    private void findFile() {
        Object name = request.getAttribute(Constants.SENDFILE_FILENAME_ATTR);
        boolean hasContent =
                hasEntity() && !isHead(); // a servlet's doHead does what its doGet does
        if (name != null && hasContent && protocol.getUseSendfile()) {
            long from = (Long) request.getAttribute(Constants.SENDFILE_FILE_START_ATTR);
            long end = (Long) request.getAttribute(Constants.SENDFILE_FILE_END_ATTR);
            file = new FileStretch(Path.of((String) name), from, end - from);
        }
    }
}
