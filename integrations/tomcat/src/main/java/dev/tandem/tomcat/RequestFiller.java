package dev.tandem.tomcat;

import dev.tandem.http.Headers;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.RequestHead;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h2.Http2RequestHead;
import java.nio.charset.StandardCharsets;
import org.apache.coyote.Request;
import org.apache.tomcat.util.buf.MessageBytes;
import org.apache.tomcat.util.http.MimeHeaders;
import org.apache.tomcat.util.http.parser.HttpParser;
import org.jspecify.annotations.Nullable;

/// Fills Tomcat's request from a decoded head. Nothing is copied except header names with capital
/// letters, and over HTTP/2 what Tomcat reads as bytes.
final class RequestFiller {
    private static final byte SCHEME_END = ':';
    private static final KnownHeader LENGTH = KnownHeader.CONTENT_LENGTH;

    private RequestFiller() {}

    /// @return whether the target has only characters that the connector accepts
    static boolean fill(Request to, RequestHead head, HttpParser parser) {
        return switch (head) {
            case Http1RequestHead lines -> fillFromLines(to, lines, parser);
            case Http2RequestHead fields -> fillFromFields(to, fields, parser);
            default -> throw new IllegalArgumentException("a head of " + head.getClass());
        };
    }

    private static boolean fillFromFields(Request to, Http2RequestHead head, HttpParser parser) {
        to.setMethod(head.method());
        to.protocol().setString(head.version().protocol());
        Headers headers = head.headers();
        for (int i = 0; i < headers.size(); i++) {
            String name = headers.name(i);
            MessageBytes value = to.getMimeHeaders().addValue(name);
            if (name.equals("host")) {
                setBytes(value, headers.value(i)); // which Tomcat's parser of hosts requires
            } else {
                value.setString(headers.value(i));
            }
        }
        if (head.contentLength() >= 0) {
            to.setContentLength(head.contentLength());
        }
        to.setExpectation(head.expectsContinue());
        byte[] path = head.path().getBytes(StandardCharsets.ISO_8859_1);
        return path.length > 0 && copyTarget(to, path, 0, path.length, parser);
    }

    private static void setBytes(MessageBytes to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        to.setBytes(bytes, 0, bytes.length);
    }

    private static boolean fillFromLines(Request to, Http1RequestHead head, HttpParser parser) {
        to.setMethod(head.method());
        to.protocol().setString(protocolName(head));
        copyHeaders(to.getMimeHeaders(), head);
        if (!head.isChunked() && head.contentLength() >= 0) {
            to.setContentLength(head.contentLength());
        }
        to.setExpectation(head.expectsContinue());
        return copyTarget(to, head.bytes(), pathStart(head), head.targetTo(), parser);
    }

    /// Returns the protocol as the stock connectors name it: empty for HTTP/0.9.
    private static String protocolName(Http1RequestHead head) {
        if (head.isHttp09()) {
            return "";
        }
        return head.minorVersion() == 0 ? "HTTP/1.0" : "HTTP/1.1";
    }

    private static void copyHeaders(MimeHeaders to, Http1RequestHead head) {
        byte[] bytes = head.bytes();
        for (int i = 0; i < head.headerCount(); i++) {
            int from = head.nameFrom(i);
            int length = head.nameTo(i) - from;
            if (head.isChunked() && KnownHeader.of(bytes, from, from + length) == LENGTH) {
                continue; // Transfer-Encoding takes precedence, and the length may be wrong
            }
            // Tomcat's own parser converts names to lower case.
            for (int at = from; at < from + length; at++) {
                byte c = bytes[at];
                if (c >= 'A' && c <= 'Z') {
                    bytes[at] = (byte) (c + ('a' - 'A'));
                }
            }
            MessageBytes value = to.addValue(bytes, from, length);
            value.setBytes(bytes, head.valueFrom(i), head.valueTo(i) - head.valueFrom(i));
        }
    }

    private static boolean copyTarget(
            Request to, byte[] bytes, int from, int end, HttpParser parser) {
        int query = from;
        while (query < end && bytes[query] != '?') {
            query++;
        }
        if (query < end) {
            to.queryString().setBytes(bytes, query + 1, end - query - 1);
        }
        if (from == query) {
            to.requestURI().setBytes(new byte[] {'/'}, 0, 1);
        } else {
            to.requestURI().setBytes(bytes, from, query - from);
        }
        return hasAllowedCharacters(bytes, from, query, end, parser);
    }

    private static boolean hasAllowedCharacters(
            byte[] bytes, int from, int query, int end, HttpParser parser) {
        boolean isAllowed = true;
        for (int i = from; i < end && isAllowed; i++) {
            isAllowed =
                    i < query
                            ? parser.isAbsolutePathRelaxed(bytes[i])
                            : i == query || parser.isQueryRelaxed(bytes[i]);
        }
        return isAllowed;
    }

    /// Returns where the path begins: after the authority if the target is in absolute form.
    private static int pathStart(Http1RequestHead head) {
        byte[] bytes = head.bytes();
        int from = head.targetFrom();
        int end = head.targetTo();
        if (from >= end || bytes[from] == '/' || bytes[from] == '*') {
            return from;
        }
        int at = from;
        while (at < end && bytes[at] != SCHEME_END) {
            at++;
        }
        at += "://".length();
        while (at < end && bytes[at] != '/' && bytes[at] != '?') {
            at++;
        }
        return Math.min(at, end);
    }

    /// Returns whether the target names the same host as the `Host` header, which Tomcat requires.
    static boolean matchesHost(RequestHead head, @Nullable MessageBytes header) {
        String authority = head.target().authority();
        return authority == null || header == null || header.equalsIgnoreCase(authority);
    }

    /// Returns the host that the request is for: that of its target if the target has one (RFC
    /// 9112, section 3.2.2).
    static @Nullable MessageBytes host(RequestHead head, @Nullable MessageBytes header) {
        String authority = head.target().authority();
        if (authority == null || header != null) {
            return header; // in the client's spelling
        }
        MessageBytes host = MessageBytes.newInstance();
        setBytes(host, authority);
        return host;
    }
}
