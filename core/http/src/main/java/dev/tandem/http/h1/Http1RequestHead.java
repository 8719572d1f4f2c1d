package dev.tandem.http.h1;

import dev.tandem.http.Headers;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.RequestHead;
import dev.tandem.http.RequestTarget;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A request's head as it lies in the bytes that were read: a decoder fills it anew for each
/// request, and nothing is copied before it is asked for. Valid until the decoder's next call or
/// the buffer's next change, whichever is first; [#copy()] outlives both.
///
/// Confined to whoever owns the decoder. A field takes five numbers, positions counted from the
/// head's first byte, which may come to lie elsewhere while the head is incomplete:
///
///     | name from | name to | value from | value to | KnownHeader's ordinal, or -1 |
public final class Http1RequestHead implements RequestHead {
    private static final int SLOT = 5;
    private static final int NAME_TO = 1;
    private static final int VALUE_FROM = 2;
    private static final int VALUE_TO = 3;
    private static final int KNOWN = 4;
    /// What browsers send fits.
    private static final int FIELDS_EXPECTED = 24;

    private static final byte[] NOTHING = {};
    private static final KnownHeader[] KNOWN_FIELDS = KnownHeader.values();

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

    /// One bit for each [KnownHeader] that is there, and for each that is there more than once.
    private int present;

    private int repeated;

    /// Where each [KnownHeader] that is there first stands: the index of its slot.
    private final int[] firstSlots;

    Http1RequestHead(boolean isLenient) {
        this(new Framing(isLenient), new int[SLOT * FIELDS_EXPECTED], new int[KNOWN_FIELDS.length]);
    }

    private Http1RequestHead(Framing framing, int[] slots, int[] firstSlots) {
        this.framing = framing;
        this.slots = slots;
        this.firstSlots = firstSlots;
    }

    /// The method's name, as sent; the same string each time for those of RFC 9110 and PATCH.
    @Override
    public String method() {
        return method;
    }

    /// @throws IllegalStateException if [#target(Target)] was not called for this request
    @Override
    public RequestTarget target() {
        if (target == null) {
            throw new IllegalStateException("the head's target was not set");
        }
        return target;
    }

    /// Sets what the bytes from [#targetFrom()] to [#targetTo()] say. The decoder checks only
    /// that they are visible ASCII: its caller may have parsed the same ones before.
    public void target(RequestTarget target) {
        this.target = target;
    }

    @Override
    public int minorVersion() {
        return framing.minorVersion();
    }

    /// Whether it is a request of HTTP/0.9, `GET` and a target alone: its answer has no head, and
    /// ends with the connection.
    public boolean isHttp09() {
        return isHttp09;
    }

    /// The array that the positions are in.
    public byte[] bytes() {
        return bytes;
    }

    /// Where the request line begins in [#bytes()]: its method's first byte.
    public int methodFrom() {
        return base + methodFrom;
    }

    /// Where the target begins in [#bytes()], one space after the method's end.
    public int targetFrom() {
        return base + targetFrom;
    }

    /// Where the target ends in [#bytes()].
    public int targetTo() {
        return base + targetTo;
    }

    /// The head's length in bytes, from the first byte given to the decoder (so with any empty
    /// lines before the request line) to the CRLF after the last field.
    public int length() {
        return length;
    }

    /// The body's length in bytes as the head says it, or -1 where it does not.
    public long contentLength() {
        return framing.contentLength();
    }

    /// Whether the body comes in chunks.
    public boolean isChunked() {
        return framing.isChunked();
    }

    /// Whether bytes of a body follow: it is chunked, or longer than 0.
    public boolean hasBody() {
        return framing.hasBody();
    }

    /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110, section
    /// 10.1.1).
    public boolean expectsContinue() {
        return framing.expectsContinue();
    }

    /// Whether the client will send another request on this connection (RFC 9112, section 9.3).
    public boolean isKeepAlive() {
        return framing.isKeepAlive();
    }

    /// Whether the client may send more for all it has said: where it is told only now that the
    /// connection ends, a next request may be under way.
    public boolean canMoreInputFollow() {
        return isHttp09 || framing.canMoreInputFollow();
    }

    /// Whether the client asks for another protocol (RFC 9110, section 7.8).
    public boolean isUpgrade() {
        return framing.isUpgrade();
    }

    /// The Host field's value; empty if it is, or if there is none (HTTP/1.0). Makes a new
    /// string.
    public String host() {
        return value(KnownHeader.HOST);
    }

    /// How many field lines the head has.
    public int headerCount() {
        return headerCount;
    }

    /// Where the name of field `i` begins in [#bytes()].
    public int nameFrom(int i) {
        return base + slots[i * SLOT];
    }

    /// Where the name of field `i` ends in [#bytes()].
    public int nameTo(int i) {
        return base + slots[i * SLOT + NAME_TO];
    }

    /// Where the value of field `i` begins in [#bytes()].
    public int valueFrom(int i) {
        return base + slots[i * SLOT + VALUE_FROM];
    }

    /// Where the value of field `i` ends in [#bytes()].
    public int valueTo(int i) {
        return base + slots[i * SLOT + VALUE_TO];
    }

    @Override
    public boolean has(KnownHeader field) {
        return (present & bit(field.ordinal())) != 0;
    }

    @Override
    public boolean isExactly(KnownHeader field, String value) {
        int bit = bit(field.ordinal());
        if ((present & ~repeated & bit) == 0) {
            return false;
        }
        int slot = firstSlots[field.ordinal()];
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
    public String value(KnownHeader field) {
        return has(field) ? value(firstSlots[field.ordinal()]) : "";
    }

    /// The value of the first field of that name in any case, or the empty string; makes no
    /// strings but the value.
    @Override
    public String value(String name) {
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

    /// All fields, in the order sent: made at the first call, then the same.
    @Override
    public Headers headers() {
        if (headers == null) {
            var names = new String[headerCount];
            var values = new String[headerCount];
            for (int i = 0; i < headerCount; i++) {
                names[i] = name(i * SLOT);
                values[i] = value(i * SLOT);
            }
            headers = Headers.of(names, values, headerCount);
        }
        return headers;
    }

    /// A head that owns its bytes, and nobody else's: fit to be handed to another thread. It has
    /// the target that this one has.
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

    /// Forgets the request, and the array, so that an idle connection holds none.
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

    /// The head's bytes begin at `base` of `bytes` from now on.
    void setBuffer(byte[] bytes, int base) {
        this.bytes = bytes;
        this.base = base;
    }

    /// Positions are in the array.
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

    /// Adds the field that `line` took apart; its name begins at `nameFrom` of the array.
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

    /// A known field sent as RFC 9110 writes it, as most are, needs no string of its own.
    private String name(int slot) {
        int from = base + slots[slot];
        int to = base + slots[slot + NAME_TO];
        if (slots[slot + KNOWN] >= 0) {
            String usual = KNOWN_FIELDS[slots[slot + KNOWN]].headerName();
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

    /// There are fewer known fields than an int has bits; a 33rd would need a long.
    private static int bit(int ordinal) {
        return 1 << ordinal;
    }
}
