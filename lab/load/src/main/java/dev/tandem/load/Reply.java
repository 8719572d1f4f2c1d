package dev.tandem.load;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The answer to a call, or what came in its place.
///
/// @param status 0 if none came
/// @param head the header section's lines without the status line, each with its end; empty
///     unless the call's [Use] keeps it. ISO 8859-1, as it came
/// @param length of the content, in bytes
/// @param body the content; empty unless the call's [Use] keeps it
/// @param responseNanos from the request's first byte to the answer's first; 0 if none came
/// @param transferNanos from the answer's first byte to its last; 0 if that did not come
public record Reply(
        Call call,
        Outcome outcome,
        int status,
        String head,
        long length,
        byte[] body,
        long responseNanos,
        long transferNanos) {

    public boolean isOk() {
        return outcome == Outcome.OK;
    }

    /// From the request's first byte to the answer's last.
    public long nanos() {
        return responseNanos + transferNanos;
    }

    /// The content as text.
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /// The first field of a name, empty if there is none or the head was not kept.
    public String field(String name) {
        List<String> all = fields(name);
        return all.isEmpty() ? "" : all.getFirst();
    }

    /// All fields of a name, in order.
    public List<String> fields(String name) {
        String start = name.toLowerCase(Locale.ROOT) + ":";
        var values = new ArrayList<String>();
        head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
                .forEach(line -> values.add(line.substring(start.length()).strip()));
        return values;
    }

    Reply withOutcome(Outcome other) {
        return new Reply(call, other, status, head, length, body, responseNanos, transferNanos);
    }
}
