package dev.tandem.tomcat;

import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.engine.container.ContainerHead;
import dev.tandem.http.Body;
import dev.tandem.http.FieldSyntax;
import dev.tandem.http.HttpVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.coyote.Constants;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.HeadersTooLargeException;
import org.apache.juli.logging.Log;
import org.apache.juli.logging.LogFactory;
import org.apache.tomcat.util.http.Method;
import org.apache.tomcat.util.http.MimeHeaders;
import org.apache.tomcat.util.http.parser.TokenList;
import org.jspecify.annotations.Nullable;

/// Decides the framing of a response and sends its head. Reused for the next response.
final class ResponseHead {
    private static final Log LOG = LogFactory.getLog(ResponseHead.class);
    private static final int INTERIM_MAX = 199;
    private static final String CONNECTION = "Connection";
    private static final String KEEP_ALIVE = "keep-alive";
    private static final String TRANSFER_ENCODING = "Transfer-Encoding";

    private static final AtomicBoolean IS_DROP_LOGGED = new AtomicBoolean();

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /// Catalina's default servlet writes files up to this size: 48 KiB.
    private static final int WRITTEN_MAX = 48 << 10;

    /// Headers of a file.
    private static final List<String> DESCRIPTIONS =
            List.of(
                    "ETag",
                    "Last-Modified",
                    "Accept-Ranges",
                    "Content-Range",
                    "Content-Encoding",
                    "Cache-Control",
                    "Expires");

    private final TandemProtocol protocol;
    private final Request request;
    private final Response response;
    private @Nullable FileRange file;

    /// The file's content, if it is from a cache.
    private CachedFiles.@Nullable Opened cached;

    /// Whether that is to be written and compressed.
    private boolean isFileCompressed;

    ResponseHead(TandemProtocol protocol, Request request, Response response) {
        this.protocol = protocol;
        this.request = request;
        this.response = response;
    }

    void recycle() {
        file = null;
        closeCached();
    }

    /// Sends no file, whatever the application has asked for: its response is replaced by another.
    void dropFile() {
        recycle();
        request.getAttributes().remove(Constants.SENDFILE_FILENAME_ATTR);
    }

    private void closeCached() {
        CachedFiles.Opened unsent = cached;
        cached = null;
        isFileCompressed = false;
        if (unsent != null) {
            unsent.content().segments().close();
        }
    }

    /// Writes the file that this head announced, if it is to be compressed.
    void writeFile(ResponseOutput output) throws IOException {
        CachedFiles.Opened opened = cached;
        if (opened == null || !isFileCompressed) {
            return;
        }
        file = null;
        try {
            Body.Segmented content = opened.content();
            for (long at = 0; at < content.length(); ) {
                // Written when the sink has returned, since that may wait for the client.
                ByteBuffer[] piece = {NOTHING};
                at +=
                        content.segments()
                                .transferTo(
                                        at,
                                        bytes ->
                                                piece[0] =
                                                        ByteBuffer.allocate(bytes.remaining())
                                                                .put(bytes)
                                                                .flip());
                output.doWrite(piece[0]);
            }
        } finally {
            closeCached();
        }
    }

    /// Sends the file that this head announced, if any, once.
    void sendFile(ContainerExchange exchange) throws IOException {
        CachedFiles.Opened opened = cached;
        FileRange range = file;
        cached = null;
        file = null;
        if (opened != null) {
            exchange.sendSegments(opened.content());
        } else if (range != null) {
            exchange.sendFile(range.path(), range.offset(), range.length());
        }
    }

    /// Returns whether a response with this status closes the connection: as in Tomcat, where
    /// client and server may disagree on what follows.
    static boolean closesConnection(int status) {
        return switch (status) {
            case 400, 408, 411, 413, 414, 500, 503, 501 -> true;
            default -> false;
        };
    }

    /// Returns whether the head allows another request on the connection.
    boolean canKeepAlive(boolean isKeepAlive, boolean isLongBodyUnread) throws IOException {
        return isKeepAlive
                && !isLongBodyUnread
                && !closesConnection(response.getStatus())
                && !hasConnectionToken(response.getMimeHeaders(), "close")
                && (isDelimited() || isHeadRequest() || !hasContent());
    }

    private boolean isDelimited() {
        return response.getContentLengthLong() >= 0 || !isBeforeHttp11();
    }

    private boolean isBeforeHttp11() {
        return !request.protocol().equals("HTTP/1.1") && !isHttp2();
    }

    private boolean isHttp2() {
        return request.protocol().equals(HttpVersion.HTTP_2.protocol());
    }

    private boolean isHeadRequest() {
        return Method.HEAD.equals(request.getMethod());
    }

    private boolean hasContent() {
        int status = response.getStatus();
        return status > INTERIM_MAX && status != 204 && status != 205 && status != 304;
    }

    void send(ContainerExchange exchange, ResponseOutput output, boolean isKeepAlive)
            throws IOException {
        MimeHeaders headers = response.getMimeHeaders();
        findSendfile();
        openCached();
        boolean isCompressed =
                hasContent() && mayBeCompressed() && protocol.useCompression(request, response);
        isFileCompressed = isCompressed && file != null;
        if (!hasContent()) {
            response.setContentLength(response.getStatus() == 205 ? 0 : -1);
        }
        setContentHeaders(headers);
        headers.removeHeader(TRANSFER_ENCODING); // applications do not control the framing
        ResponseOutput.Framing framing = framing(headers, isKeepAlive);
        if (!isHttp2()) {
            if (framing == ResponseOutput.Framing.CHUNKED) {
                headers.addValue(TRANSFER_ENCODING).setString("chunked");
            }
            setConnectionHeaders(headers, isKeepAlive);
        }
        setServerHeader(headers);
        output.setFraming(
                sent(framing), isCompressed ? -1 : response.getContentLengthLong(), isCompressed);
        ContainerHead head = exchange.newHead(response.getStatus());
        writeHeaders(exchange, head, headers);
        if (headers.getValue("Date") == null) {
            head.date();
        }
        if (framing != ResponseOutput.Framing.CHUNKED && response.getContentLengthLong() >= 0) {
            head.contentLength(response.getContentLengthLong());
        }
        if (head.length() > protocol.getMaxHttpResponseHeaderSize()) {
            throw new HeadersTooLargeException(
                    "a response's head has "
                            + head.length()
                            + " bytes, more than maxHttpResponseHeaderSize allows: "
                            + protocol.getMaxHttpResponseHeaderSize());
        }
        response.setCommitted(true);
        exchange.begin(head);
    }

    /// Returns the framing of what is sent.
    private ResponseOutput.Framing sent(ResponseOutput.Framing announced) {
        if (file != null && !isFileCompressed) {
            return ResponseOutput.Framing.FILE;
        }
        return isHeadRequest() || !hasContent() ? ResponseOutput.Framing.NONE : announced;
    }

    /// Written content; and a file that Catalina would have written, if it had not left it to this
    /// connector.
    private boolean mayBeCompressed() {
        FileRange range = file;
        CachedFiles.Opened opened = cached;
        return range == null
                || opened != null
                        && opened.isWholeFile()
                        && (range.length() <= WRITTEN_MAX
                                || Boolean.TRUE.equals(
                                        request.getAttribute(TandemProtocol.COMPRESSES_FILE)));
    }

    private ResponseOutput.Framing framing(MimeHeaders headers, boolean isKeepAlive)
            throws IOException {
        boolean isUnknown = response.getContentLengthLong() < 0;
        boolean hasTrailers = response.getTrailerFields() != null && !isHttp2();
        boolean canChunk = !isBeforeHttp11() && hasContent() && !isHeadRequest();
        if (canChunk && (hasTrailers || isUnknown && !hasConnectionToken(headers, "close"))) {
            return ResponseOutput.Framing.CHUNKED;
        }
        return ResponseOutput.Framing.PLAIN;
    }

    private void setContentHeaders(MimeHeaders headers) {
        if (hasContent() || response.getStatus() == 204) {
            String type = response.getContentType();
            if (type != null) {
                headers.setValue("Content-Type").setString(type);
            }
            String language = response.getContentLanguage();
            if (language != null) {
                headers.setValue("Content-Language").setString(language);
            }
        }
    }

    private void setConnectionHeaders(MimeHeaders headers, boolean isKeepAlive) throws IOException {
        if (!isKeepAlive) {
            if (!hasConnectionToken(headers, "close")) {
                headers.addValue(CONNECTION).setString("close");
            }
            return;
        }
        boolean isAnnounced = announcesTimeout();
        if (isAnnounced) {
            long seconds = protocol.getKeepAliveTimeout() / 1000L;
            headers.setValue("Keep-Alive").setString("timeout=" + seconds);
        }
        if (isAnnounced || isBeforeHttp11()) {
            headers.addValue(CONNECTION).setString(KEEP_ALIVE);
        }
    }

    /// Returns whether to announce the idle timeout to a client that asks for keep-alive. The
    /// connection may stay open for longer.
    private boolean announcesTimeout() throws IOException {
        return protocol.getUseKeepAliveResponseHeader()
                && protocol.getKeepAliveTimeout() > 0
                && hasConnectionToken(request.getMimeHeaders(), KEEP_ALIVE);
    }

    private void setServerHeader(MimeHeaders headers) {
        String server = protocol.getServer();
        if (server != null) {
            headers.setValue("Server").setString(server);
        } else if (protocol.getServerRemoveAppProvidedValues()) {
            headers.removeHeader("server");
        }
    }

    private static boolean hasConnectionToken(MimeHeaders headers, String token)
            throws IOException {
        if (headers.getValue(CONNECTION) == null) {
            return false;
        }
        Set<String> tokens = new HashSet<>();
        TokenList.parseTokenList(headers.values(CONNECTION), tokens);
        return tokens.contains(token);
    }

    private static void writeHeaders(
            ContainerExchange exchange, ContainerHead head, MimeHeaders headers) {
        for (int i = 0; i < headers.size(); i++) {
            String name = headers.getName(i).toStringType();
            String value = HeaderText.of(headers.getValue(i));
            if (value == null) {
                continue;
            }
            if (name.equalsIgnoreCase("Set-Cookie")) {
                exchange.cookieSet(value);
            }
            // Catalina accepts any name; one that is not a token could start a line of its own.
            if (name.equalsIgnoreCase(TRANSFER_ENCODING)) {
                head.chunked();
            } else if (!name.equalsIgnoreCase("Content-Length") && FieldSyntax.isToken(name)) {
                head.header(name, value);
            }
        }
    }

    /// Returns the head of an early hints response (RFC 8297).
    ContainerHead earlyHints(ContainerExchange exchange) {
        ContainerHead hints = exchange.newHead(103);
        MimeHeaders headers = response.getMimeHeaders();
        for (int i = 0; i < headers.size(); i++) {
            String name = headers.getName(i).toStringType();
            String value = HeaderText.of(headers.getValue(i));
            if (value != null && FieldSyntax.isToken(name)) {
                hints.header(name, value);
            }
        }
        return hints;
    }

    /// A file is sent only with the length that the servlet has announced for it, as Tomcat asks: a
    /// filter may have replaced the response since it was named.
    private void findSendfile() {
        Object name = request.getAttribute(Constants.SENDFILE_FILENAME_ATTR);
        boolean sendsContent =
                hasContent() && !isHeadRequest(); // a servlet's doHead does what its doGet does
        if (name != null && sendsContent && protocol.getUseSendfile()) {
            long from = (Long) request.getAttribute(Constants.SENDFILE_FILE_START_ATTR);
            long end = (Long) request.getAttribute(Constants.SENDFILE_FILE_END_ATTR);
            if (response.getContentLengthLong() == end - from) {
                file = new FileRange(Path.of((String) name), from, end - from);
            } else {
                logDropped((String) name, end - from);
                dropFile();
            }
        }
    }

    private void logDropped(String name, long length) {
        if (IS_DROP_LOGGED.compareAndSet(false, true)) {
            LOG.warn(
                    name
                            + " is not sent: it was named with "
                            + length
                            + " bytes, but the response announces "
                            + response.getContentLengthLong()
                            + " (logged once); was the response replaced, or its length not set?");
        }
    }

    /// Opens the file in the connector's cache. If it changes meanwhile, or cannot be read, the
    /// client is to repeat the request.
    private void openCached() {
        closeCached(); // of a head that was not sent
        CachedFiles files = protocol.cachedFiles();
        FileRange range = file;
        if (files == null || range == null) {
            return;
        }
        try {
            cached = files.open(range, request, response);
        } catch (NoSuchFileException _) {
            sendNoFile(404); // Catalina does not know it yet
        } catch (IOException e) {
            LOG.warn("a file is not sent: " + e);
            response.getMimeHeaders().setValue("Retry-After").setString("1");
            sendNoFile(503);
        }
    }

    private void sendNoFile(int status) {
        file = null;
        for (String name : DESCRIPTIONS) {
            response.getMimeHeaders().removeHeader(name);
        }
        response.setStatus(status);
        response.setContentType(null);
        response.setContentLength(0);
    }
}
