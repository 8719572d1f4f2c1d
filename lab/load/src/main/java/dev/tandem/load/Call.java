package dev.tandem.load;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// One request. Immutable; cheap to send repeatedly, so callers should keep calls that recur.
public final class Call {
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final byte[] NOTHING = {};

    private final String method;
    private final String target;
    private final Properties rest;

    /// The last encoding; a race only costs making it again.
    private volatile Wire wire = Wire.NONE;

    /// A header field.
    public record Header(String name, String value) {

        /// @throws IllegalArgumentException if it would not be one field on the wire
        public Header {
            if (!TOKEN.matcher(name).matches() || !isLine(value)) {
                throw new IllegalArgumentException("not a header field: " + name + ": " + value);
            }
        }
    }

    /// The parts of a call other than its method and target, which do not change.
    record Properties(
            String page, List<Header> fields, byte[] body, Duration gap, Use use, Check check)
            implements PropertiesWith {}

    private Call(String method, String target, Properties rest) {
        if (!TOKEN.matcher(method).matches()) {
            throw new IllegalArgumentException("not a method: " + method);
        }
        if (target.isEmpty() || target.indexOf(' ') >= 0 || !isLine(target)) {
            throw new IllegalArgumentException("not a request target: " + target);
        }
        this.method = method;
        this.target = target;
        this.rest = rest;
    }

    private static boolean isLine(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c != 0x7f && c <= 0xff || c == '\t');
    }

    /// @param target the request line's target, such as `/a?b=c`
    /// @throws IllegalArgumentException if the method or target is not valid in a request line
    public static Call of(String method, String target) {
        int query = target.indexOf('?');
        String page = query < 0 ? target : target.substring(0, query);
        return new Call(
                method,
                target,
                new Properties(page, List.of(), NOTHING, Duration.ZERO, Use.COUNT, Check.ANY));
    }

    public static Call get(String target) {
        return of("GET", target);
    }

    public static Call head(String target) {
        return of("HEAD", target);
    }

    /// @param type the content's media type
    public static Call post(String target, String type, byte[] body) {
        return of("POST", target).withHeader("Content-Type", type).withBody(body);
    }

    private Call with(Properties rest) {
        return new Call(method, target, rest);
    }

    /// Sets the name that statistics are grouped by; by default the target without its query. There
    /// should be few names: each has a histogram.
    public Call withPage(String name) {
        return with(rest.withPage(name));
    }

    /// Adds a header field.
    ///
    /// @throws IllegalArgumentException if it would not be one field on the wire
    public Call withHeader(String name, String value) {
        var more = new ArrayList<>(rest.fields);
        more.add(new Header(name, value));
        return with(rest.withFields(List.copyOf(more)));
    }

    /// Sets the content to send, with its length.
    public Call withBody(byte[] content) {
        return with(rest.withBody(content.clone()));
    }

    /// Sets the time to wait before this call on its connection, from the response before: a
    /// browser's active off-time. Not for [Shape#PIPELINED].
    public Call withGap(Duration gap) {
        return with(rest.withGap(gap));
    }

    public Call withUse(Use other) {
        return with(rest.withUse(other));
    }

    public Call withCheck(Check other) {
        return with(rest.withCheck(other));
    }

    public String page() {
        return rest.page;
    }

    public String method() {
        return method;
    }

    public String target() {
        return target;
    }

    public List<Header> fields() {
        return rest.fields;
    }

    /// The content to send, which must not be changed.
    byte[] body() {
        return rest.body;
    }

    /// Whether the request has a `Content-Length`.
    boolean hasLength() {
        return rest.body.length > 0 || method.equals("POST") || method.equals("PUT");
    }

    /// The length of the content to send, in bytes.
    public int bodyLength() {
        return rest.body.length;
    }

    public Duration gap() {
        return rest.gap;
    }

    public Use use() {
        return rest.use;
    }

    public Check check() {
        return rest.check;
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    boolean isGet() {
        return method.equals("GET");
    }

    /// Encodes the request.
    ///
    /// @param ending the request line's version and the headers that every request of the run has;
    ///     compared by identity
    /// @param own headers of this user, each with its line end; may be empty
    byte[] wire(Ending ending, String own) {
        if (!own.isEmpty()) {
            return encode(ending, own);
        }
        Wire known = wire;
        if (known.ending != ending) {
            known = new Wire(ending, encode(ending, own));
            wire = known;
        }
        return known.bytes;
    }

    private byte[] encode(Ending ending, String own) {
        byte[] body = rest.body;
        var text = new StringBuilder(method).append(' ').append(target).append(ending.text);
        for (Header field : rest.fields) {
            text.append(field.name).append(": ").append(field.value).append("\r\n");
        }
        if (hasLength()) {
            text.append("Content-Length: ").append(body.length).append("\r\n");
        }
        byte[] head =
                text.append(own).append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        if (body.length == 0) {
            return head;
        }
        byte[] whole = java.util.Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, whole, head.length, body.length);
        return whole;
    }

    @Override
    public String toString() {
        return method + " " + target;
    }

    /// The part after the target in every request of a run.
    ///
    /// @param text from the space before the version to the last common header's line end
    record Ending(String text) {}

    private record Wire(Ending ending, byte[] bytes) {
        private static final Wire NONE = new Wire(new Ending(""), NOTHING);
    }
}
