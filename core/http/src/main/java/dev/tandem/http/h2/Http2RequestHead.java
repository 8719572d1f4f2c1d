package dev.tandem.http.h2;

import dev.tandem.http.Headers;
import dev.tandem.http.HttpVersion;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.MalformedMessage;
import dev.tandem.http.ParsedTarget;
import dev.tandem.http.RequestHead;
import dev.tandem.http.RequestTarget;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The head of an HTTP/2 request (RFC 9113, section 8.3.1), validated. Reused: an event loop needs
/// one for all its connections. Valid until the next [#set]; [#copy()] is independent of it.
/// Confined to its owner.
///
/// Handlers see what they would see of the same request in HTTP/1: `Host` is there if only
/// `:authority` was sent, and cookie crumbs are one `Cookie` header (section 8.2.3).
public final class Http2RequestHead implements RequestHead {
    /// Sufficient for browsers.
    private static final int HEADERS_EXPECTED = 40;

    /// Servers keep paths of up to 256 bytes once for all requests; longer ones would be more of
    /// clients' bytes than of the site's.
    public static final int SHARED_PATH_MAX = 256;

    private static final HeaderField[] NOTHING = {};
    private static final FieldName HOST = FieldName.of("host");
    private static final FieldName COOKIE = FieldName.of("cookie");
    private static final String CONNECT = "CONNECT";

    private HeaderField[] fields;
    private int count;

    private @Nullable String method;
    private @Nullable String scheme;
    private @Nullable String authority;
    private @Nullable String path;
    private @Nullable String protocol;
    private @Nullable String host;

    private boolean hasBody;
    private long contentLength;
    private boolean expectsContinue;
    private @Nullable RequestTarget target;
    private @Nullable Headers headers;

    /// One bit for each [KnownHeader] that is present, and for each that is present more than once.
    private int present;

    private int repeated;

    /// The last `Host` header made of an `:authority`, which most requests of a client repeat.
    private @Nullable HeaderField madeHost;

    /// The index of the first cookie crumb, or -1, and the number of crumbs.
    private int cookieAt;

    private int crumbs;

    public Http2RequestHead() {
        this(new HeaderField[HEADERS_EXPECTED]);
    }

    private Http2RequestHead(HeaderField[] fields) {
        this.fields = fields;
        clear();
    }

    /// Validates a header list that begins a stream and sets this head to it.
    ///
    /// @param list of an event of [FrameListener#headers]
    /// @param isEndStream whether the request has no body
    /// @param allowsExtendedConnect whether extended CONNECT (RFC 8441) was offered to the client
    /// @return null, or the error: 431 for a list over its limits; 417 for an expectation other
    ///     than `100-continue`; otherwise 400, for which the stream may also be reset with
    ///     PROTOCOL_ERROR (RFC 9113, section 8.1.1). After an error the head is only usable for the
    ///     log: it has what was valid
    public @Nullable MalformedMessage set(
            HeaderList list, boolean isEndStream, boolean allowsExtendedConnect) {
        clear();
        hasBody = !isEndStream;
        boolean isPseudo = true;
        for (int i = 0; i < list.count(); i++) {
            HeaderField field = list.field(i);
            if (field.error() != null) {
                return MalformedMessage.badRequest(field.error());
            }
            boolean wasPseudo = isPseudo;
            isPseudo = field.name().kind().isPseudo();
            if (isPseudo && !wasPseudo) {
                return MalformedMessage.badRequest("pseudo-header after a header");
            }
            MalformedMessage error = isPseudo ? pseudo(field) : add(field);
            if (error != null) {
                return error;
            }
        }
        if (list.isTooLarge()) {
            return new MalformedMessage(431, "header list over its limits");
        }
        return complete(allowsExtendedConnect);
    }

    /// Clears the request, so that a loop keeps nothing of the connection.
    public void clear() {
        Arrays.fill(fields, 0, count, null);
        count = 0;
        method = null;
        scheme = null;
        authority = null;
        path = null;
        protocol = null;
        host = null;
        hasBody = false;
        contentLength = -1;
        expectsContinue = false;
        target = null;
        headers = null;
        present = 0;
        repeated = 0;
        cookieAt = -1;
        crumbs = 0;
    }

    private @Nullable MalformedMessage pseudo(HeaderField field) {
        String value = field.value();
        String previous =
                switch (field.name().kind()) {
                    case METHOD -> {
                        String before = method;
                        method = value;
                        yield before;
                    }
                    case SCHEME -> {
                        String before = scheme;
                        scheme = value;
                        yield before;
                    }
                    case AUTHORITY -> {
                        String before = authority;
                        authority = value;
                        yield before;
                    }
                    case PATH -> {
                        String before = path;
                        path = value;
                        yield before;
                    }
                    case PROTOCOL -> {
                        String before = protocol;
                        protocol = value;
                        yield before;
                    }
                    default -> "";
                };
        if (previous == null) {
            return null;
        }
        return MalformedMessage.badRequest(
                field.name().kind() == FieldName.Kind.STATUS
                        ? ":status in a request"
                        : "more than one " + field.name().text());
    }

    private @Nullable MalformedMessage add(HeaderField field) {
        MalformedMessage error = null;
        switch (field.name().kind()) {
            case COOKIE -> {
                crumbs++;
                if (crumbs > 1) {
                    putAt(count, field); // joined and removed in the end
                    return null;
                }
                cookieAt = count;
            }
            case HOST -> {
                if (host != null) {
                    error = MalformedMessage.badRequest("more than one Host header");
                }
                host = field.value();
            }
            case CONTENT_LENGTH -> {
                if (contentLength >= 0) {
                    error = MalformedMessage.badRequest("more than one Content-Length header");
                }
                contentLength = Long.parseLong(field.value());
            }
            case EXPECT -> {
                if (!field.value().equalsIgnoreCase("100-continue")) {
                    error = new MalformedMessage(417, "expectation other than 100-continue");
                }
                expectsContinue = true;
            }
            default -> {}
        }
        putAt(count, field);
        note(field.name().known());
        return error;
    }

    private void putAt(int i, HeaderField field) {
        if (count == fields.length) {
            fields = Arrays.copyOf(fields, 2 * count);
        }
        fields[i] = field;
        count++;
    }

    private void note(@Nullable KnownHeader known) {
        if (known != null) {
            int bit = 1 << known.ordinal();
            repeated |= present & bit;
            present |= bit;
        }
    }

    /// Checks what only the complete list shows (RFC 9113, sections 8.1.1, 8.3.1 and 8.5; RFC 8441,
    /// section 4).
    private @Nullable MalformedMessage complete(boolean allowsExtendedConnect) {
        String error = pseudoError(allowsExtendedConnect);
        if (error == null) {
            error = hostError();
        }
        if (error == null && !hasBody && contentLength > 0) {
            error = "Content-Length of a request without content";
        }
        if (error != null) {
            return MalformedMessage.badRequest(error);
        }
        joinCookies();
        addHost();
        return null;
    }

    private @Nullable String pseudoError(boolean allowsExtendedConnect) {
        if (method == null) {
            return "no :method";
        }
        boolean isConnect = method.equals(CONNECT);
        if (protocol != null && !(isConnect && allowsExtendedConnect)) {
            return ":protocol without extended CONNECT";
        }
        if (isConnect && protocol == null) {
            return scheme != null || path != null || authority == null
                    ? "CONNECT with other pseudo-headers than :authority"
                    : null;
        }
        if (scheme == null) {
            return "no :scheme";
        }
        return path == null ? "no :path" : null;
    }

    private @Nullable String hostError() {
        if (authority == null) {
            return host == null ? "neither :authority nor Host" : null;
        }
        return host == null || host.equalsIgnoreCase(authority)
                ? null
                : "Host differs from :authority";
    }

    /// Replaces the crumbs with one header (RFC 9113, section 8.2.3).
    private void joinCookies() {
        if (crumbs < 2) {
            return;
        }
        var joined = new StringBuilder();
        int kept = 0;
        for (int i = 0; i < count; i++) {
            HeaderField field = fields[i];
            boolean isCrumb = field.name() == COOKIE;
            if (isCrumb) {
                joined.append(joined.isEmpty() ? "" : "; ").append(field.value());
            }
            if (!isCrumb || i == cookieAt) {
                fields[kept++] = field;
            }
        }
        Arrays.fill(fields, kept, count, null);
        count = kept;
        fields[cookieAt] = HeaderField.valid(COOKIE, joined.toString());
    }

    /// Adds `Host`, which programs that know HTTP/1 expect (RFC 9113, section 8.3.1).
    private void addHost() {
        if (host != null || authority == null) {
            return;
        }
        if (madeHost == null || !madeHost.value().equals(authority)) {
            madeHost = HeaderField.valid(HOST, authority);
        }
        host = authority;
        putAt(count, madeHost);
        note(KnownHeader.HOST);
    }

    /// Returns the method, as sent; a constant string for PATCH and those of RFC 9110. Empty after
    /// an error if there is none.
    @Override
    public String method() {
        return method == null ? "" : method;
    }

    /// Returns `http` or `https`, as sent: what the client used, perhaps before a gateway. Empty
    /// for CONNECT.
    public String scheme() {
        return scheme == null ? "" : scheme;
    }

    /// Returns host and perhaps port: `:authority`, else `Host`. Empty only after an error.
    public String authority() {
        if (authority != null) {
            return authority;
        }
        return host == null ? "" : host;
    }

    /// Returns `:path`, as sent: path and query, or `*`; not yet validated, except that it begins
    /// with a slash. Empty for CONNECT.
    public String path() {
        return path == null ? "" : path;
    }

    /// Returns the protocol of an extended CONNECT request, such as `websocket` (RFC 8441), or
    /// null.
    public @Nullable String protocol() {
        return protocol;
    }

    /// Parses the target: `:path`, or for CONNECT without a protocol, `:authority`. The caller may
    /// know the result of an equal one.
    ///
    /// @param isLenient see [RequestTarget#parseLenient]
    public ParsedTarget parseTarget(boolean isLenient) {
        boolean isTunnel = method().equals(CONNECT) && protocol == null;
        String text = isTunnel ? authority() : path();
        // The target of an extended CONNECT has origin form, which CONNECT itself does not allow.
        String form = isTunnel || protocol == null ? method() : "GET";
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return isLenient
                ? RequestTarget.parseLenient(form, bytes, 0, bytes.length)
                : RequestTarget.parse(form, bytes, 0, bytes.length);
    }

    /// @throws IllegalStateException if [#target(RequestTarget)] was not called for this request
    @Override
    public RequestTarget target() {
        if (target == null) {
            throw new IllegalStateException("the head's target was not set");
        }
        return target;
    }

    /// Sets the result of [#parseTarget(boolean)].
    public void target(RequestTarget target) {
        this.target = target;
    }

    /// Returns whether the request has a body: its stream did not end with its head.
    public boolean hasBody() {
        return hasBody;
    }

    /// Returns the Content-Length in bytes, or -1 if absent. [ContentLength] compares it with the
    /// content.
    public long contentLength() {
        return contentLength;
    }

    /// Returns whether the client waits for `100 Continue` before it sends the body (RFC 9110,
    /// section 10.1.1).
    public boolean expectsContinue() {
        return expectsContinue && hasBody;
    }

    @Override
    public boolean has(KnownHeader header) {
        return (present & 1 << header.ordinal()) != 0;
    }

    @Override
    public boolean isExactly(KnownHeader header, String value) {
        return has(header)
                && (repeated & 1 << header.ordinal()) == 0
                && value(header).equals(value);
    }

    /// Returns the first value of the header, or the empty string. Allocates nothing.
    @Override
    public String value(KnownHeader header) {
        if (has(header)) {
            for (int i = 0; i < count; i++) {
                if (fields[i].name().known() == header) {
                    return fields[i].value();
                }
            }
        }
        return "";
    }

    @Override
    public String value(String name) {
        for (int i = 0; i < count; i++) {
            if (fields[i].name().text().equalsIgnoreCase(name)) {
                return fields[i].value();
            }
        }
        return "";
    }

    /// Returns all headers in the order sent, with names in lower case, without pseudo-headers;
    /// created by the first call.
    @Override
    public Headers headers() {
        if (headers == null) {
            var names = new String[count];
            var values = new String[count];
            for (int i = 0; i < count; i++) {
                names[i] = fields[i].name().text();
                values[i] = fields[i].value();
            }
            headers = Headers.of(names, values, count);
        }
        return headers;
    }

    /// Returns 1: what HTTP/1.1 allows and HTTP/1.0 does not, HTTP/2 allows, too.
    @Override
    public int minorVersion() {
        return 1;
    }

    @Override
    public HttpVersion version() {
        return HttpVersion.HTTP_2;
    }

    /// Frees the memory of a copy's headers, when its exchange is over. Method and target stay,
    /// which other threads may still show.
    public void freeHeaders() {
        count = 0;
        fields = NOTHING;
        headers = null;
        madeHost = null;
    }

    /// Returns about how many bytes a copy keeps after [#freeHeaders()]: a path that is not one of
    /// many requests, as short ones are, has a decoded one for each.
    public int memory() {
        int length = path().length();
        return length <= SHARED_PATH_MAX ? 0 : 2 * length;
    }

    /// Returns a copy, including the target, which can be passed to another thread.
    public Http2RequestHead copy() {
        var copy = new Http2RequestHead(count == 0 ? NOTHING : Arrays.copyOf(fields, count));
        copy.count = count;
        copy.method = method;
        copy.scheme = scheme;
        copy.authority = authority;
        copy.path = path;
        copy.protocol = protocol;
        copy.host = host;
        copy.hasBody = hasBody;
        copy.contentLength = contentLength;
        copy.expectsContinue = expectsContinue;
        copy.target = target;
        copy.headers = headers;
        copy.present = present;
        copy.repeated = repeated;
        return copy;
    }
}
