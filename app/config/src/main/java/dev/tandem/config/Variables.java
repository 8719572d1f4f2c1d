package dev.tandem.config;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Replaces environment variables in text: `${NAME}`, `${NAME:-default text}`; `$${` stands for
/// `${`.
///
/// @param values by name
record Variables(Map<String, String> values) {
    private static final Pattern REFERENCE =
            Pattern.compile("\\$(\\$\\{)|\\$\\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?}");

    static boolean isReferencedIn(String text) {
        return text.contains("${");
    }

    /// @throws InvalidValueException if a variable is not set and has no default
    String expand(String text) throws InvalidValueException {
        Matcher reference = REFERENCE.matcher(text);
        var expanded = new StringBuilder();
        int end = 0;
        while (reference.find()) {
            expanded.append(text, end, reference.start()).append(value(reference));
            end = reference.end();
        }
        return expanded.append(text, end, text.length()).toString();
    }

    private String value(Matcher reference) throws InvalidValueException {
        if (reference.group(1) != null) {
            return reference.group(1);
        }
        String name = reference.group(2);
        String value = values.get(name);
        boolean hasFallback = reference.group(3) != null;
        if (value != null && !(hasFallback && value.isEmpty())) {
            return value;
        }
        if (!hasFallback) {
            throw new InvalidValueException(
                    "the variable " + name + " is not set; ${" + name + ":-TEXT} sets a default");
        }
        return reference.group(4);
    }
}
