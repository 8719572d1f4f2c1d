package dev.tandem.lab.shops;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The content of a page as far as a client uses it. Found by plain search: a generator reads
/// thousands of pages per second.
final class PageContent {
    private final String text;

    PageContent(String text) {
        this.text = text;
    }

    /// Returns all texts between `before` and the next quote.
    List<String> all(String before) {
        var found = new ArrayList<String>();
        int at = text.indexOf(before);
        while (at >= 0) {
            int from = at + before.length();
            int to = text.indexOf('"', from);
            if (to < 0) {
                break;
            }
            found.add(text.substring(from, to));
            at = text.indexOf(before, to);
        }
        return found;
    }

    /// Returns one of [#all], or null if there is none.
    @Nullable String any(String before, RandomGenerator random) {
        List<String> all = all(before);
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    /// Returns the value of a form's field, or null if there is none.
    @Nullable String field(String name) {
        int at = text.indexOf("name=\"" + name + "\"");
        return at < 0 ? null : attribute(at, "value=\"");
    }

    /// Returns the maximum of a form's numeric field, or 1.
    int most(String name) {
        int at = text.indexOf("name=\"" + name + "\"");
        String max = at < 0 ? null : attribute(at, "max=\"");
        return max == null ? 1 : Integer.parseInt(max);
    }

    private @Nullable String attribute(int at, String start) {
        int end = text.indexOf('>', at);
        int from = text.indexOf(start, at);
        if (from < 0 || from > end) {
            return null;
        }
        return text.substring(from + start.length(), text.indexOf('"', from + start.length()));
    }

    /// Returns whether it is this page, and complete.
    boolean isWhole(String page) {
        return text.contains("<meta name=\"page\" content=\"" + page + "\">")
                && text.stripTrailing().endsWith("<!-- end of " + page + " -->");
    }
}
