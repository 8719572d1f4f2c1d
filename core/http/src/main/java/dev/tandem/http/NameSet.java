package dev.tandem.http;

import java.util.Arrays;

/// A set of header names, compared without regard to case (RFC 9110, section 5.1). Looking one up
/// makes no string in lower case: most names differ from all others in their length or their first
/// letter. Immutable.
public final class NameSet {
    /// What makes a letter of ASCII lower case.
    private static final int LOWER = 0x20;

    private static final String[] NONE = {};

    /// By their lengths.
    private final String[][] names;

    private NameSet(String[][] names) {
        this.names = names;
    }

    /// @throws IllegalArgumentException if one is not a token
    public static NameSet of(String... names) {
        int longest = 0;
        for (String name : names) {
            longest = Math.max(longest, FieldSyntax.requireName(name).length());
        }
        var byLength = new String[longest + 1][];
        Arrays.fill(byLength, NONE);
        for (String name : names) {
            String[] before = byLength[name.length()];
            String[] more = Arrays.copyOf(before, before.length + 1);
            more[before.length] = name;
            byLength[name.length()] = more;
        }
        return new NameSet(byLength);
    }

    public boolean contains(String name) {
        if (name.isEmpty() || name.length() >= names.length) {
            return false;
        }
        int first = name.charAt(0) | LOWER;
        for (String each : names[name.length()]) {
            if ((each.charAt(0) | LOWER) == first && each.equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }
}
