package dev.tandem.http.h1;

import dev.tandem.http.Authority;
import dev.tandem.http.FieldSyntax;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.MalformedMessage;
import org.jspecify.annotations.Nullable;

/// The framing headers of a head: its body, host and connection options. Rejects everything that
/// another parser could interpret as a different body (RFC 9112, section 6; section 11.2 on request
/// smuggling).
final class Framing {
    /// Numbers of 18 digits are less than 2^63; no body is longer.
    private static final int LENGTH_DIGITS_MAX = 18;

    private static final CaseInsensitiveToken CHUNKED = new CaseInsensitiveToken("chunked");
    private static final CaseInsensitiveToken CONTINUE = new CaseInsensitiveToken("100-continue");
    private static final CaseInsensitiveToken CLOSE = new CaseInsensitiveToken("close");
    private static final CaseInsensitiveToken KEEP_ALIVE = new CaseInsensitiveToken("keep-alive");
    private static final CaseInsensitiveToken UPGRADE = new CaseInsensitiveToken("upgrade");
    private static final MalformedMessage UNKNOWN_CODING =
            new MalformedMessage(501, "Transfer-Encoding other than chunked");
    private static final MalformedMessage MALFORMED_CODING =
            MalformedMessage.badRequest("Transfer-Encoding other than chunked");

    /// Whether chunked coding is accepted together with a length or in HTTP/1.0.
    private final boolean isLenient;

    private int minorVersion;
    private long contentLength;
    private boolean hasHost;
    private boolean isChunked;
    private boolean expectsContinue;
    private boolean hasClose;
    private boolean hasKeepAlive;
    private boolean hasUpgradeOption;
    private boolean hasUpgrade;

    /// Whether the connection must be closed after this message, whatever the client requests.
    private boolean mustClose;

    Framing(boolean isLenient) {
        this.isLenient = isLenient;
        reset(1);
    }

    /// Returns whether the header affects the framing or routing of a message.
    static boolean isFramingHeader(KnownHeader header) {
        return switch (header) {
            case CONNECTION,
                    CONTENT_LENGTH,
                    EXPECT,
                    HOST,
                    TE,
                    TRAILER,
                    TRANSFER_ENCODING,
                    UPGRADE ->
                    true;
            case ACCEPT,
                    ACCEPT_ENCODING,
                    AUTHORIZATION,
                    CONTENT_TYPE,
                    COOKIE,
                    IF_MATCH,
                    IF_MODIFIED_SINCE,
                    IF_NONE_MATCH,
                    IF_RANGE,
                    IF_UNMODIFIED_SINCE,
                    RANGE,
                    USER_AGENT ->
                    false;
        };
    }

    /// Starts a head of HTTP/1.0 or 1.1.
    void reset(int minorVersion) {
        this.minorVersion = minorVersion;
        contentLength = -1;
        hasHost = false;
        isChunked = false;
        expectsContinue = false;
        hasClose = false;
        hasKeepAlive = false;
        hasUpgradeOption = false;
        hasUpgrade = false;
        mustClose = false;
    }

    /// Processes a header whose trimmed value is `bytes` from `from` to `to`.
    @Nullable MalformedMessage addHeader(KnownHeader header, byte[] bytes, int from, int to) {
        return switch (header) {
            case HOST -> host(bytes, from, to);
            case CONTENT_LENGTH -> contentLength(bytes, from, to);
            case TRANSFER_ENCODING -> transferEncoding(bytes, from, to);
            case EXPECT -> expect(bytes, from, to);
            case CONNECTION -> connection(bytes, from, to);
            case UPGRADE -> upgrade();
            default -> null;
        };
    }

    /// Checks the complete head: an HTTP/1.1 request must have a Host header (RFC 9112, section
    /// 3.2). Chunked coding overrides a length; after such a message, or a chunked one of HTTP/1.0,
    /// the connection is closed (sections 6.1 and 6.3), so that no bytes that another parser takes
    /// for the rest of the body are read as a request.
    @Nullable MalformedMessage complete() {
        if (isChunked && (contentLength >= 0 || minorVersion == 0)) {
            contentLength = -1;
            mustClose = true;
        }
        return minorVersion > 0 && !hasHost ? MalformedMessage.badRequest("no Host header") : null;
    }

    int minorVersion() {
        return minorVersion;
    }

    long contentLength() {
        return contentLength;
    }

    boolean isChunked() {
        return isChunked;
    }

    boolean hasBody() {
        return isChunked || contentLength > 0;
    }

    /// RFC 9110, section 10.1.1: ignored in HTTP/1.0 and in requests without a body.
    boolean expectsContinue() {
        return expectsContinue && minorVersion > 0 && hasBody();
    }

    /// RFC 9112, section 9.3: `close` takes precedence.
    boolean isKeepAlive() {
        return !mustClose && canMoreInputFollow();
    }

    boolean canMoreInputFollow() {
        return !hasClose && (minorVersion > 0 || hasKeepAlive);
    }

    /// RFC 9110, section 7.8: the header is valid only with its connection option, and not in
    /// HTTP/1.0.
    boolean isUpgrade() {
        return hasUpgradeOption && hasUpgrade && minorVersion > 0;
    }

    Framing copy() {
        var copy = new Framing(isLenient);
        copy.reset(minorVersion);
        copy.contentLength = contentLength;
        copy.hasHost = hasHost;
        copy.isChunked = isChunked;
        copy.expectsContinue = expectsContinue;
        copy.hasClose = hasClose;
        copy.hasKeepAlive = hasKeepAlive;
        copy.hasUpgradeOption = hasUpgradeOption;
        copy.hasUpgrade = hasUpgrade;
        copy.mustClose = mustClose;
        return copy;
    }

    /// An empty host is valid: it is sent for a target without an authority (RFC 9110, section
    /// 7.2). A comma is rejected, although RFC 3986 allows it in names: no real name contains one,
    /// but two Host headers joined by an intermediary do.
    private @Nullable MalformedMessage host(byte[] bytes, int from, int to) {
        if (hasHost) {
            return MalformedMessage.badRequest("more than one Host header");
        }
        hasHost = true;
        if (from == to) {
            return null;
        }
        for (int i = from; i < to; i++) {
            if (bytes[i] == ',') {
                return MalformedMessage.badRequest("more than one host in the Host header");
            }
        }
        return Authority.isHost(bytes, from, to)
                ? null
                : MalformedMessage.badRequest("malformed Host header");
    }

    /// Only digits are accepted. RFC 9112, section 6.3 permits a repeated identical length; this
    /// parser rejects it.
    private @Nullable MalformedMessage contentLength(byte[] bytes, int from, int to) {
        if (contentLength >= 0) {
            return MalformedMessage.badRequest("more than one Content-Length header");
        }
        if (isChunked && !isLenient) {
            return bothLengths();
        }
        if (from == to || to - from > LENGTH_DIGITS_MAX) {
            return badLength();
        }
        long length = 0;
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return badLength();
            }
            length = 10 * length + digit;
        }
        contentLength = length;
        return null;
    }

    /// Only `chunked` is accepted. Other codings get status 501 (RFC 9112, section 6.1) if they are
    /// a valid list of names with `chunked` only at its end or not at all, otherwise 400. Both
    /// close the connection.
    private @Nullable MalformedMessage transferEncoding(byte[] bytes, int from, int to) {
        if (minorVersion == 0 && !isLenient) {
            return MalformedMessage.badRequest("Transfer-Encoding in HTTP/1.0");
        }
        if (contentLength >= 0 && !isLenient) {
            return bothLengths();
        }
        if (isChunked) {
            return MalformedMessage.badRequest("more than one Transfer-Encoding header");
        }
        if (!CHUNKED.matches(bytes, from, to)) {
            return areCodings(bytes, from, to) ? UNKNOWN_CODING : MALFORMED_CODING;
        }
        isChunked = true;
        return null;
    }

    /// Returns whether the value is a comma-separated list of names, of which at most the last is
    /// `chunked`.
    private static boolean areCodings(byte[] bytes, int from, int to) {
        int at = from;
        while (at <= to) {
            int comma = at;
            while (comma < to && bytes[comma] != ',') {
                comma++;
            }
            int nameFrom = FieldBytes.skipBlanks(bytes, at, comma);
            int nameTo = FieldBytes.trimBlanks(bytes, nameFrom, comma);
            boolean isLast = comma == to;
            if (!isName(bytes, nameFrom, nameTo)
                    || CHUNKED.matches(bytes, nameFrom, nameTo) && !isLast) {
                return false;
            }
            at = comma + 1;
        }
        return true;
    }

    private static boolean isName(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!FieldSyntax.isTokenChar(bytes[i])) {
                return false;
            }
        }
        return from < to;
    }

    private @Nullable MalformedMessage expect(byte[] bytes, int from, int to) {
        if (!CONTINUE.matches(bytes, from, to)) {
            return new MalformedMessage(417, "expectation other than 100-continue");
        }
        expectsContinue = true;
        return null;
    }

    /// Options are a comma-separated list, which may be split over several headers.
    private @Nullable MalformedMessage connection(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            int comma = at;
            while (comma < to && bytes[comma] != ',') {
                comma++;
            }
            int optionFrom = FieldBytes.skipBlanks(bytes, at, comma);
            option(bytes, optionFrom, FieldBytes.trimBlanks(bytes, optionFrom, comma));
            at = comma + 1;
        }
        return null;
    }

    private @Nullable MalformedMessage upgrade() {
        hasUpgrade = true;
        return null;
    }

    private void option(byte[] bytes, int from, int to) {
        hasClose |= CLOSE.matches(bytes, from, to);
        hasKeepAlive |= KEEP_ALIVE.matches(bytes, from, to);
        hasUpgradeOption |= UPGRADE.matches(bytes, from, to);
    }

    private static MalformedMessage badLength() {
        return MalformedMessage.badRequest("Content-Length is not 1 to 18 digits");
    }

    private static MalformedMessage bothLengths() {
        return MalformedMessage.badRequest("both Content-Length and Transfer-Encoding");
    }
}
