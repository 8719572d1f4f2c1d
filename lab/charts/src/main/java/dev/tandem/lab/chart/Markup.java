package dev.tandem.lab.chart;

import java.util.ArrayDeque;
import java.util.Deque;

/// Writes HTML that is well-formed XML, too, and SVG. Everything is escaped. Confined to a thread.
public final class Markup {
    private final StringBuilder text = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    public Markup() {}

    /// @param attributes alternating names and values
    public Markup open(String tag, String... attributes) {
        start(tag, attributes);
        text.append('>');
        open.push(tag);
        return this;
    }

    /// Closes the element that was opened last.
    public Markup close() {
        text.append("</").append(open.pop()).append(">\n");
        return this;
    }

    /// An element with text only.
    public Markup element(String tag, String content, String... attributes) {
        return open(tag, attributes).text(content).close();
    }

    /// An element of SVG, or one of HTML that is never closed.
    public Markup empty(String tag, String... attributes) {
        start(tag, attributes);
        text.append("/>\n");
        return this;
    }

    public Markup text(String content) {
        content.codePoints().forEach(this::escape);
        return this;
    }

    /// Adds another writer's output unchanged.
    public Markup add(Markup other) {
        text.append(other);
        return this;
    }

    /// A style sheet, which HTML reads without any escapes.
    ///
    /// @throws IllegalArgumentException if it has a character that XML would read otherwise
    public Markup style(String sheet) {
        if (sheet.indexOf('<') >= 0 || sheet.indexOf('&') >= 0) {
            throw new IllegalArgumentException("a style sheet with < or &");
        }
        open("style");
        text.append(sheet);
        return close();
    }

    private void start(String tag, String... attributes) {
        text.append('<').append(tag);
        for (int i = 0; i < attributes.length; i += 2) {
            text.append(' ').append(attributes[i]).append("=\"");
            text(attributes[i + 1]);
            text.append('"');
        }
    }

    private void escape(int c) {
        switch (c) {
            case '&' -> text.append("&amp;");
            case '<' -> text.append("&lt;");
            case '>' -> text.append("&gt;");
            case '"' -> text.append("&quot;");
            case '\'' -> text.append("&#39;");
            default -> text.appendCodePoint(isAllowed(c) ? c : '\ufffd');
        }
    }

    /// Characters that XML 1.0 (section 2.2) cannot represent are replaced; so are C1 controls, and
    /// characters that change the direction of the following text.
    private static boolean isAllowed(int c) {
        if (c < ' ') {
            return c == '\n' || c == '\t';
        }
        boolean isControl = c >= 0x7f && c <= 0x9f;
        boolean isDirectional = c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069;
        boolean isNone = c >= 0xd800 && c <= 0xdfff || c == 0xfffe || c == 0xffff;
        return !isControl && !isDirectional && !isNone;
    }

    /// Returns the output so far.
    @Override
    public String toString() {
        return text.toString();
    }
}
