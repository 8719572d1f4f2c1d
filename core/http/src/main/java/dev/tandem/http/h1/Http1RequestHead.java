package dev.tandem.http.h1;

import dev.tandem.http.Headers;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.RequestHead;
import dev.tandem.http.RequestTarget;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A request head backed by the buffer that was read: the decoder fills it again for each request,
/// and copies nothing in advance. Valid until the next call of the decoder or the next change of
/// the buffer, whichever is first; [#copy()] is independent of both.
///
/// Confined to the owner of the decoder. A header occupies five numbers; positions are relative to
/// the first byte of the head, which may move while the head is incomplete:
///
///     | name from | name to | value from | value to | KnownHeader's ordinal, or -1 |
///
/// Once the target is set, its authority replaces the value of `Host` (RFC 9112, section 3.2.2),
/// so that no reader of headers takes the request for one to another host. The bytes stay as sent.
public final class Http1RequestHead implements RequestHead {
    private static final int SLOT = 5;
    private static final int NAME_TO = 1;
    private static final int VALUE_FROM = 2;
    private static final int VALUE_TO = 3;
    private static final int KNOWN = 4;
    /// Sufficient for browsers.
    private static final int HEADERS_EXPECTED = 24;

    private static final byte[] NOTHING = {};
    private static final KnownHeader[] KNOWN_HEADERS = KnownHeader.values();

    private final Framing framing;
    private byte[] bytes = NOTHING;
    private int base;
    private int length;

    private String method = "";
    private int methodFrom;
    private int targetFrom;
    private int targetTo;
    private @Nullable RequestTarget target;
    private boolean isHttp09;

    private int[] slots;
    private int headerCount;
    private @Nullable Headers headers;

    /// One bit for each [KnownHeader] that is present, and for each that is present more than once.
    private int present;

    private int repeated;

    /// The slot index of the first occurrence of each present [KnownHeader].
    private final int[] firstSlots;

    Http1RequestHead(boolean isLenient) {
        this(
                new Framing(isLenient),
                new int[SLOT * HEADERS_EXPECTED],
                new int[KNOWN_HEADERS.length]);
    }

    private Http1RequestHead(Framing framing, int[] slots, int[] firstSlots) {
        this.framing = framing;
        this.slots = slots;
        this.firstSlots = firstSlots;
    }

    /// Returns the name of the method, as sent; a constant string for PATCH and those of RFC 9110.
    @Override
    public String method() {
        return method;
    }

    /// @throws IllegalStateException if [#target(RequestTarget)] was not called for this request
    @Override
    public RequestTarget target() {
        if (target == null) {
            throw new IllegalStateException("the head's target was not set");
        }
        return target;
    }

    /// Sets the parsed target of the bytes from [#targetFrom()] to [#targetTo()]. The decoder
    /// checks only that they are visible ASCII, because its caller may have parsed identical ones
    /// before.
    public void target(RequestTarget target) {
        this.target = target;
        if (target.authority() != null) {
            headers = null;
        }
    }

    /// Returns what replaces the value of `Host`, or null.
    private @Nullable String authority() {
        RequestTarget known = target;
        return known == null ? null : known.authority();
    }

    /// Returns 0 for HTTP/1.0, 1 for HTTP/1.1 and later minor versions.
    @Override
    public int minorVersion() {
        return framing.minorVersion();
    }

    /// Returns whether it is an HTTP/0.9 request, `GET` and a target alone: its response has no
    /// head, and ends with the connection.
    public boolean isHttp09() {
        return isHttp09;
    }

    /// Returns the array to which the positions refer.
    public byte[] bytes() {
        return bytes;
    }

    /// Returns the start of the request line in [#bytes()], the first byte of its method.
    public int methodFrom() {
        return base + methodFrom;
    }

    /// Returns the start of the target in [#bytes()], one space after the end of the method.
    public int targetFrom() {
        return base + targetFrom;
    }

    /// Returns the end of the target in [#bytes()].
    public int targetTo() {
        return base + targetTo;
    }

    /// Returns the length of the head in bytes, from the first byte passed to the decoder
    /// (including empty lines before the request line) to the CRLF after the last header.
    public int length() {
        return length;
    }

    /// Returns the Content-Length in bytes, or -1 if absent.
    public long contentLength() {
        return framing.contentLength();
    }

    /// Returns whether the body is chunked.
    public boolean isChunked() {
        return framing.isChunked();
    }

    /// Returns whether the request has a body: it is chunked, or longer than 0.
    public boolean hasBody() {
        return framing.hasBody();
    }

    /// Returns whether the client waits for `100 Continue` before it sends the body (RFC 9110,
    /// section 10.1.1).
    public boolean expectsContinue() {
        return framing.expectsContinue();
    }

    /// Returns whether the connection persists after this request (RFC 9112, section 9.3). After
    /// CONNECT it does not: the client may have sent bytes for the tunnel before the response, and
    /// they are no request if there is no tunnel (RFC 9931).
    public boolean isKeepAlive() {
        return framing.isKeepAlive() && !method.equals("CONNECT");
    }

    /// Returns whether the client may send more on this connection according to its own headers: if
    /// it learns only from the response that the connection is closed, its next request may already
    /// be in transit.
    public boolean canMoreInputFollow() {
        return isHttp09 || framing.canMoreInputFollow();
    }

    /// Returns whether the client requests another protocol (RFC 9110, section 7.8).
    public boolean isUpgrade() {
        return framing.isUpgrade();
    }

    /// Returns the value of the Host header, or the target's authority once that is known; empty if
    /// it is empty or absent (HTTP/1.0). Allocates a new string.
    public String host() {
        return value(KnownHeader.HOST);
    }

    /// Returns the number of header lines.
    public int headerCount() {
        return headerCount;
    }

    /// Returns the start of the name of header `i` in [#bytes()].
    public int nameFrom(int i) {
        return base + slots[i * SLOT];
    }

    /// Returns the end of the name of header `i` in [#bytes()].
    public int nameTo(int i) {
        return base + slots[i * SLOT + NAME_TO];
    }

    /// Returns the start of the value of header `i` in [#bytes()].
    public int valueFrom(int i) {
        return base + slots[i * SLOT + VALUE_FROM];
    }

    /// Returns the end of the value of header `i` in [#bytes()].
    public int valueTo(int i) {
        return base + slots[i * SLOT + VALUE_TO];
    }

    @Override
    public boolean has(KnownHeader header) {
        return isSent(header) || header == KnownHeader.HOST && authority() != null;
    }

    private boolean isSent(KnownHeader header) {
        return (present & bit(header.ordinal())) != 0;
    }

    @Override
    public boolean isExactly(KnownHeader header, String value) {
        String authority = header == KnownHeader.HOST ? authority() : null;
        if (authority != null) {
            return authority.equals(value);
        }
        int bit = bit(header.ordinal());
        if ((present & ~repeated & bit) == 0) {
            return false;
        }
        int slot = firstSlots[header.ordinal()];
        int from = base + slots[slot + VALUE_FROM];
        if (base + slots[slot + VALUE_TO] - from != value.length()) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            if ((bytes[from + i] & 0xFF) != value.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String value(KnownHeader header) {
        String authority = header == KnownHeader.HOST ? authority() : null;
        if (authority != null) {
            return authority;
        }
        return isSent(header) ? value(firstSlots[header.ordinal()]) : "";
    }

    /// Returns the first value of a header, ignoring case, or the empty string; allocates no string
    /// except the value.
    @Override
    public String value(String name) {
        String authority = authority();
        if (authority != null && name.equalsIgnoreCase(KnownHeader.HOST.headerName())) {
            return authority;
        }
        for (int i = 0; i < headerCount; i++) {
            int slot = i * SLOT;
            int length = slots[slot + NAME_TO] - slots[slot];
            if (length == name.length() && isNamed(base + slots[slot], name)) {
                return value(slot);
            }
        }
        return "";
    }

    private boolean isNamed(int from, String name) {
        for (int i = 0; i < name.length(); i++) {
            if (Character.toLowerCase((char) (bytes[from + i] & 0xFF))
                    != Character.toLowerCase(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /// Returns all headers, in the order sent; created by the first call. A `Host` that is only in
    /// the target comes first.
    @Override
    public Headers headers() {
        if (headers == null) {
            String authority = authority();
            int added = authority != null && !isSent(KnownHeader.HOST) ? 1 : 0;
            var names = new String[added + headerCount];
            var values = new String[added + headerCount];
            for (int i = 0; i < headerCount; i++) {
                names[added + i] = name(i * SLOT);
                values[added + i] = value(i * SLOT);
            }
            if (authority != null) {
                int at = added > 0 ? 0 : firstSlots[KnownHeader.HOST.ordinal()] / SLOT;
                names[at] = KnownHeader.HOST.headerName();
                values[at] = authority;
            }
            headers = Headers.of(names, values, names.length);
        }
        return headers;
    }

    /// Returns a copy, including the target, with an array of its own, which can be passed to
    /// another thread.
    public Http1RequestHead copy() {
        var copy =
                new Http1RequestHead(
                        framing.copy(),
                        Arrays.copyOf(slots, headerCount * SLOT),
                        firstSlots.clone());
        copy.bytes = Arrays.copyOfRange(bytes, base, base + length);
        copy.length = length;
        copy.method = method;
        copy.methodFrom = methodFrom;
        copy.targetFrom = targetFrom;
        copy.targetTo = targetTo;
        copy.target = target;
        copy.isHttp09 = isHttp09;
        copy.headerCount = headerCount;
        copy.headers = headers;
        copy.present = present;
        copy.repeated = repeated;
        return copy;
    }

    /// Clears the request and the array, so that an idle connection keeps none.
    void clear() {
        bytes = NOTHING;
        base = 0;
        length = 0;
        method = "";
        target = null;
        isHttp09 = false;
        headerCount = 0;
        headers = null;
        present = 0;
        repeated = 0;
        framing.reset(1);
    }

    /// Sets the array and the start of the head in it.
    void setBuffer(byte[] bytes, int base) {
        this.bytes = bytes;
        this.base = base;
    }

    /// Sets the request line; positions refer to the array.
    void requestLine(String method, int methodFrom, int targetFrom, int targetTo) {
        this.method = method;
        this.methodFrom = methodFrom - base;
        this.targetFrom = targetFrom - base;
        this.targetTo = targetTo - base;
    }

    void setHttp09() {
        isHttp09 = true;
    }

    Framing framing() {
        return framing;
    }

    /// Adds the header that `line` has parsed; its name begins at `nameFrom` of the array.
    void addHeader(@Nullable KnownHeader known, int nameFrom, FieldLine line) {
        int slot = headerCount * SLOT;
        if (slot == slots.length) {
            slots = Arrays.copyOf(slots, 2 * slots.length);
        }
        slots[slot] = nameFrom - base;
        slots[slot + NAME_TO] = line.nameTo() - base;
        slots[slot + VALUE_FROM] = line.valueFrom() - base;
        slots[slot + VALUE_TO] = line.valueTo() - base;
        slots[slot + KNOWN] = -1;
        headerCount++;
        if (known != null) {
            addKnown(known.ordinal(), slot);
        }
    }

    void complete(int length) {
        this.length = length;
    }

    private void addKnown(int ordinal, int slot) {
        slots[slot + KNOWN] = ordinal;
        int bit = bit(ordinal);
        if ((present & bit) == 0) {
            firstSlots[ordinal] = slot;
        }
        repeated |= present & bit;
        present |= bit;
    }

    /// Returns a constant for a known header in the spelling of RFC 9110, as most are sent.
    private String name(int slot) {
        int from = base + slots[slot];
        int to = base + slots[slot + NAME_TO];
        if (slots[slot + KNOWN] >= 0) {
            String usual = KNOWN_HEADERS[slots[slot + KNOWN]].headerName();
            if (isAt(from, usual)) {
                return usual;
            }
        }
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private String value(int slot) {
        int from = slots[slot + VALUE_FROM];
        int to = slots[slot + VALUE_TO];
        return new String(bytes, base + from, to - from, StandardCharsets.ISO_8859_1);
    }

    private boolean isAt(int from, String text) {
        for (int i = 0; i < text.length(); i++) {
            if ((bytes[from + i] & 0xFF) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// There are fewer known headers than bits in an int; a 33rd would require a long.
    private static int bit(int ordinal) {
        return 1 << ordinal;
    }
}
