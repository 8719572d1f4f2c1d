package dev.tandem.http;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Names and values in the order sent. A name may occur more than once; names are case-sensitive.
final class Parameters {
    private final List<String> names = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    void add(String name, String value) {
        names.add(name);
        values.add(value);
    }

    int size() {
        return names.size();
    }

    @Nullable String first(String name) {
        int at = names.indexOf(name);
        return at < 0 ? null : values.get(at);
    }

    List<String> all(String name) {
        var found = new ArrayList<String>();
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equals(name)) {
                found.add(values.get(i));
            }
        }
        return List.copyOf(found);
    }

    /// Returns each name once.
    List<String> names() {
        return List.copyOf(new LinkedHashSet<>(names));
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            text.append(i == 0 ? "" : "&").append(names.get(i)).append('=').append(values.get(i));
        }
        return text.toString();
    }
}
