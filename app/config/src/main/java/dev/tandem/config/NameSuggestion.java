package dev.tandem.config;

import java.util.List;

/// Suggests a known name for an unknown one: a key of a file, a command, an option.
public final class NameSuggestion {
    private NameSuggestion() {}

    /// Returns the nearest of the names if it differs in at most a third of its letters, else an
    /// empty string.
    public static String nearest(String word, List<String> names) {
        String nearest = "";
        int least = Integer.MAX_VALUE;
        for (String name : names) {
            int distance = distance(word, name);
            if (distance < least && distance <= Math.max(1, name.length() / 3)) {
                nearest = name;
                least = distance;
            }
        }
        return nearest;
    }

    /// Returns the number of letters to be inserted, deleted, replaced or exchanged with their
    /// neighbours (Damerau-Levenshtein distance).
    private static int distance(String a, String b) {
        var rows = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                rows[i][j] = i == 0 || j == 0 ? i + j : step(rows, a, b, i, j);
            }
        }
        return rows[a.length()][b.length()];
    }

    private static int step(int[][] rows, String a, String b, int i, int j) {
        int replaced = rows[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, 1 + Math.min(rows[i - 1][j], rows[i][j - 1]));
        boolean isExchanged =
                i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1);
        return isExchanged ? Math.min(least, rows[i - 2][j - 2] + 1) : least;
    }
}
