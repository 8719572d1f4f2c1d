package dev.tandem.load;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The response to a call, or the failure in its place.
///
/// @param status 0 if there was no response
/// @param head the header section's lines without the status line, each with its end; empty unless
///     the call's [Use] keeps it. ISO 8859-1, as received
/// @param length of the content, in bytes
/// @param body the content; empty unless the call's [Use] keeps it
/// @param responseNanos from the request's first byte to the first of the response; 0 without a
///     response
/// @param transferNanos from the first byte of the response to its last; 0 if that was not received
public record Reply(
        Call call,
        Outcome outcome,
        int status,
        String head,
        long length,
        byte[] body,
        long responseNanos,
        long transferNanos)
        implements ReplyWith {

    public boolean isOk() {
        return outcome == Outcome.OK;
    }

    /// The time from the request's first byte to the last of the response.
    public long nanos() {
        return responseNanos + transferNanos;
    }

    /// The content as text.
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /// Returns the first header of a name; empty if there is none or the head was not kept.
    public String field(String name) {
        List<String> all = fields(name);
        return all.isEmpty() ? "" : all.getFirst();
    }

    /// Returns all headers of a name, in order.
    public List<String> fields(String name) {
        String start = name.toLowerCase(Locale.ROOT) + ":";
        var values = new ArrayList<String>();
        head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
                .forEach(line -> values.add(line.substring(start.length()).strip()));
        return values;
    }
}
