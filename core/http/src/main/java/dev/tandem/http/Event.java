package dev.tandem.http;

import java.nio.charset.StandardCharsets;

/// A server-sent event (HTML Standard, section 9.2).
///
/// @param type what the page listens for with `addEventListener`; empty for `message`
/// @param id what a browser that lost the connection sends back as `Last-Event-ID`; empty for none,
///     and then an [EventChannel] chooses one
/// @param data any text; the browser receives line breaks of any kind as line feeds
public record Event(String type, String id, String data) {

    /// @throws IllegalArgumentException if the type or the id contains a line break, which would
    ///     inject fields, or the id a NUL, which makes browsers ignore it
    public Event {
        EventText.checkLine("type", type);
        EventText.checkId(id);
    }

    /// Returns an event of type `message`.
    public static Event of(String data) {
        return new Event("", "", data);
    }

    /// Returns an event of the given type.
    public static Event of(String type, String data) {
        return new Event(type, "", data);
    }

    /// Returns the same event with an id.
    public Event withId(String id) {
        return new Event(type, id, data);
    }

    /// Returns the event as it is sent, in UTF-8.
    byte[] encoded() {
        var text = new StringBuilder(data.length() + 32);
        if (!id.isEmpty()) {
            EventText.addId(text, id);
        }
        if (!type.isEmpty()) {
            text.append("event: ").append(type).append('\n');
        }
        EventText.addLines(text, "data: ", data);
        return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }
}
