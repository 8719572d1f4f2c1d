package dev.tandem.http.h2;

import dev.tandem.http.FieldSyntax;
import dev.tandem.http.Headers;

/// Writes heads and trailers as header blocks (RFC 9113, section 8.3; RFC 7541) into a reused array
/// that grows as needed. An event loop needs one for all its connections. Confined to its owner.
///
/// ```
/// writer.start(connection.encoder()).status(200).prepared(date)
///         .header("Content-Type", "text/html").contentLength(length);
/// FrameWriter.headers(out, streamId, writer, peer.maxFrameSize(), false);
/// ```
///
/// Names are converted to lower case. Headers of HTTP/1 connections are dropped (RFC 9113, section
/// 8.2.2): `Connection`, `Keep-Alive`, `Proxy-Connection`, `Transfer-Encoding`, `Upgrade`, and `TE`
/// other than `trailers`.
public final class HeadWriter {
    private static final int STATUS_MIN = 100;
    private static final int STATUS_MAX = 599;
    private static final int STATUS_OK = 200;

    /// The static entry `:status: 200` (RFC 7541, appendix A), as an indexed header.
    private static final byte[] OK = {(byte) 0x88};

    private static final FieldName STATUS = FieldName.of(":status");
    private static final FieldName CONTENT_LENGTH = FieldName.of("content-length");
    private static final String[] STATUS_TEXTS = statusTexts();

    private final HeaderBlock block = new HeaderBlock();
    private HpackEncoder encoder = new HpackEncoder(0);

    public HeadWriter() {}

    /// Starts another block.
    ///
    /// @param encoder of the connection that the block is sent on
    public HeadWriter start(HpackEncoder encoder) {
        this.encoder = encoder;
        block.clear();
        encoder.start(block);
        return this;
    }

    /// Writes the status of a response, its first header.
    ///
    /// @param status 100 to 599 without 101
    /// @throws IllegalArgumentException for another status
    public HeadWriter status(int status) {
        if (status == STATUS_OK) {
            block.put(OK);
        } else {
            encoder.encode(block, STATUS, statusText(status));
        }
        return this;
    }

    /// Writes the pseudo-headers of a request, its first headers (RFC 9113, section 8.3.1), as a
    /// client does.
    ///
    /// @param target path and query, or `*`
    public HeadWriter request(String method, String scheme, String authority, String target) {
        return header(":method", method)
                .header(":scheme", scheme)
                .header(":authority", authority)
                .header(":path", target);
    }

    /// Writes a header, or drops it.
    ///
    /// @param name a token, in any case
    /// @throws IllegalArgumentException if the name is not a token, or the value contains a control
    ///     character other than HTAB or one that is not in Latin-1. This header is not written; the
    ///     block stays valid, and must be sent or its connection closed, because its table may
    ///     already differ from the peer's
    public HeadWriter header(String name, String value) {
        FieldName known = FieldName.of(name);
        if (isSent(known, value)) {
            encoder.encode(block, known, sentValue(value));
        }
        return this;
    }

    /// Writes all headers, or trailers.
    public HeadWriter headers(Headers headers) {
        for (int i = 0; i < headers.size(); i++) {
            header(headers.name(i), headers.value(i));
        }
        return this;
    }

    /// Writes `content-length`.
    ///
    /// @param contentLength in bytes, at least 0
    public HeadWriter contentLength(long contentLength) {
        if (contentLength < 0) {
            throw new IllegalArgumentException(
                    "content length must be at least 0, was " + contentLength);
        }
        HpackEncoder.encodeName(block, CONTENT_LENGTH);
        block.digits(contentLength);
        return this;
    }

    /// Writes headers that [PreparedHead] has encoded.
    public HeadWriter prepared(byte[] block) {
        this.block.put(block);
        return this;
    }

    /// Returns the array with the block at its start; a different one after it grew.
    public byte[] bytes() {
        return block.bytes();
    }

    /// Returns the length of the block in bytes.
    public int length() {
        return block.length();
    }

    static String statusText(int status) {
        if (status < STATUS_MIN || status > STATUS_MAX || status == STATUS_MIN + 1) {
            throw new IllegalArgumentException(
                    "status must be 100..599 and not 101, was " + status);
        }
        return STATUS_TEXTS[status - STATUS_MIN];
    }

    /// Returns whether a header may be sent in HTTP/2 (RFC 9113, section 8.2.2).
    static boolean isSent(FieldName name, String value) {
        return switch (name.kind()) {
            case CONNECTION_SPECIFIC -> false;
            case TE -> value.strip().equalsIgnoreCase("trailers");
            default -> true;
        };
    }

    /// Returns the value without blanks at its start and end, which are malformed in HTTP/2 (RFC
    /// 9113, section 8.2.1). Validates it independently of the caller's checks.
    ///
    /// @throws IllegalArgumentException if it contains a character that a header must not
    static String sentValue(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' && c != '\t' || c == 0x7F || c > 0xFF) {
                FieldSyntax.requireValue(value);
            }
        }
        int length = value.length();
        boolean hasBlank =
                length > 0 && (isBlank(value.charAt(0)) || isBlank(value.charAt(length - 1)));
        return hasBlank ? stripped(value) : value;
    }

    private static String stripped(String value) {
        int from = 0;
        int to = value.length();
        while (from < to && isBlank(value.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(value.charAt(to - 1))) {
            to--;
        }
        return value.substring(from, to);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static String[] statusTexts() {
        var texts = new String[STATUS_MAX - STATUS_MIN + 1];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = Integer.toString(STATUS_MIN + i);
        }
        return texts;
    }
}
