package dev.tandem.http.h1;

import dev.tandem.http.Authority;
import dev.tandem.http.FieldSyntax;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.MalformedMessage;
import org.jspecify.annotations.Nullable;

/// What a head says of its body, its host and its connection. Refuses whatever another parser could
/// read as another body (RFC 9112, section 6; section 11.2 on request smuggling).
final class Framing {
    /// 18 digits are less than 2^63; no body has more bytes.
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

    /// Whether chunks are taken where the head says other things, too.
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

    /// Whether nothing that follows is a request, whatever the client says.
    private boolean mustClose;

    Framing(boolean isLenient) {
        this.isLenient = isLenient;
        reset(1);
    }

    /// Whether the field says how a message is framed, or whom it is for.
    static boolean isFramingHeader(KnownHeader field) {
        return switch (field) {
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

    /// Begins a head of HTTP/1.0 or 1.1.
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

    /// Takes in a field whose trimmed value is `bytes` from `from` to `to`.
    @Nullable MalformedMessage addHeader(KnownHeader field, byte[] bytes, int from, int to) {
        return switch (field) {
            case HOST -> host(bytes, from, to);
            case CONTENT_LENGTH -> contentLength(bytes, from, to);
            case TRANSFER_ENCODING -> transferEncoding(bytes, from, to);
            case EXPECT -> expect(bytes, from, to);
            case CONNECTION -> connection(bytes, from, to);
            case UPGRADE -> upgrade();
            default -> null;
        };
    }

    /// What only the end of the head can tell: a request of HTTP/1.1 names its host (RFC 9112,
    /// section 3.2). Chunks go before a length, and after them or any of HTTP/1.0 the connection
    /// ends (sections 6.1 and 6.3): what another took for the body's rest is no request here.
    @Nullable MalformedMessage complete() {
        if (isChunked && (contentLength >= 0 || minorVersion == 0)) {
            contentLength = -1;
            mustClose = true;
        }
        return minorVersion > 0 && !hasHost ? MalformedMessage.badRequest("no Host field") : null;
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

    /// RFC 9110, section 10.1.1: not from HTTP/1.0, and there is nothing to wait for without a
    /// body.
    boolean expectsContinue() {
        return expectsContinue && minorVersion > 0 && hasBody();
    }

    /// RFC 9112, section 9.3: `close` goes before all else.
    boolean isKeepAlive() {
        return !mustClose && canMoreInputFollow();
    }

    boolean canMoreInputFollow() {
        return !hasClose && (minorVersion > 0 || hasKeepAlive);
    }

    /// RFC 9110, section 7.8: the field counts only with its connection option, and not in
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

    /// An empty host is valid: a target without an authority has one (RFC 9110, section 7.2). The
    /// comma is not, though RFC 3986 has it among a name's characters: no name has one, and two
    /// Host fields that somebody joined do.
    private @Nullable MalformedMessage host(byte[] bytes, int from, int to) {
        if (hasHost) {
            return MalformedMessage.badRequest("more than one Host field");
        }
        hasHost = true;
        if (from == to) {
            return null;
        }
        for (int i = from; i < to; i++) {
            if (bytes[i] == ',') {
                return MalformedMessage.badRequest("more than one host in the Host field");
            }
        }
        return Authority.isHost(bytes, from, to)
                ? null
                : MalformedMessage.badRequest("malformed Host field");
    }

    /// Digits only. RFC 9112, section 6.3 would allow one length said several times; we do not.
    private @Nullable MalformedMessage contentLength(byte[] bytes, int from, int to) {
        if (contentLength >= 0) {
            return MalformedMessage.badRequest("more than one Content-Length field");
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

    /// `chunked` alone. Other codings are 501 (RFC 9112, section 6.1) if they are a list of
    /// names with `chunked` at its end or not at all: then they are meant. Both end the
    /// connection.
    private @Nullable MalformedMessage transferEncoding(byte[] bytes, int from, int to) {
        if (minorVersion == 0 && !isLenient) {
            return MalformedMessage.badRequest("Transfer-Encoding in HTTP/1.0");
        }
        if (contentLength >= 0 && !isLenient) {
            return bothLengths();
        }
        if (isChunked) {
            return MalformedMessage.badRequest("more than one Transfer-Encoding field");
        }
        if (!CHUNKED.matches(bytes, from, to)) {
            return areCodings(bytes, from, to) ? UNKNOWN_CODING : MALFORMED_CODING;
        }
        isChunked = true;
        return null;
    }

    /// Whether there are names, parted by commas, of which at most the last is `chunked`.
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

    /// Options are a comma-separated list, and may stand in several fields.
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
        return MalformedMessage.badRequest("Content-Length beside Transfer-Encoding");
    }
}
