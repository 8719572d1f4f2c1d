package dev.tandem.workloads;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// Pages, and the probabilities of moves between them. Immutable.
///
/// Moves are drawn as RUBiS draws them: their probabilities are summed in the order given, and the
/// first move whose sum is above a number from 0 to 1 is made. If a row's sum is above 1, as in
/// RUBiS' own tables, the last moves are cut; if it is below, `rest` defines what is done.
public final class PageGraph {
    /// The end of the session, as the target of a move.
    public static final String END = "(end)";

    /// The previous page, as the target of a move.
    public static final String BACK = "(back)";

    /// How much the sum of a published row may be below 1 by rounding before the difference is
    /// drawn as a move of its own.
    private static final double ROUNDING = 1e-9;

    private final String start;
    private final Remainder rest;
    private final Map<String, List<Move>> rows;

    /// What is done if no move of a row was drawn.
    public enum Remainder {
        STAY,
        END
    }

    /// @param to a page, [#END] or [#BACK]
    /// @param probability 0 to 1
    public record Move(String to, double probability) {
        public Move {
            Checks.share("probability", probability);
        }
    }

    /// @param start the page that a session begins with
    /// @param rows by page; in the order in which pages are reported
    /// @throws IllegalArgumentException if a page that is named has no row
    public PageGraph(String start, Remainder rest, Map<String, List<Move>> rows) {
        this.start = start;
        this.rest = rest;
        this.rows = new LinkedHashMap<>(rows);
        checkPage(start);
        rows.values().forEach(row -> row.forEach(move -> checkTarget(move.to())));
    }

    /// Reads rows of `page,to,probability,to,probability…`. Lines that begin with `#` are ignored.
    ///
    /// @throws IllegalArgumentException if a line has another form; names it
    public static PageGraph read(String start, Remainder rest, List<String> lines) {
        var rows = new LinkedHashMap<String, List<Move>>();
        for (String line : lines) {
            if (line.startsWith("#")) {
                continue;
            }
            String[] columns = line.split(",", -1);
            if (rows.put(columns[0], moves(line, columns)) != null) {
                throw new IllegalArgumentException("a second row of " + columns[0]);
            }
        }
        return new PageGraph(start, rest, rows);
    }

    private static List<Move> moves(String line, String[] columns) {
        if (columns.length % 2 == 0) {
            throw new IllegalArgumentException("a page without its probability in: " + line);
        }
        var moves = new ArrayList<Move>();
        for (int i = 1; i < columns.length; i += 2) {
            try {
                moves.add(new Move(columns[i], Double.parseDouble(columns[i + 1])));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "not a probability: '" + columns[i + 1] + "' in: " + line, e);
            }
        }
        return List.copyOf(moves);
    }

    public String start() {
        return start;
    }

    public List<String> pages() {
        return List.copyOf(rows.keySet());
    }

    /// @param page one of [#pages()]
    public List<Move> moves(String page) {
        return rows.getOrDefault(page, List.of());
    }

    /// Draws a move, with one call of `nextDouble`.
    ///
    /// @param page one of [#pages()]
    /// @return a page, [#END] or [#BACK]
    public String next(String page, RandomGenerator random) {
        double drawn = random.nextDouble();
        double sum = 0;
        String last = page;
        for (Move move : moves(page)) {
            sum += move.probability();
            last = move.to();
            if (drawn < sum) {
                return last;
            }
        }
        if (sum > 1 - ROUNDING) {
            return last;
        }
        return rest == Remainder.STAY ? page : END;
    }

    /// Whether a page has a move back.
    boolean hasBack(String page) {
        return moves(page).stream().anyMatch(move -> move.to().equals(BACK));
    }

    private void checkTarget(String to) {
        if (!to.equals(END) && !to.equals(BACK)) {
            checkPage(to);
        }
    }

    private void checkPage(String page) {
        if (!rows.containsKey(page)) {
            throw new IllegalArgumentException("there is no row of page '" + page + "'");
        }
    }
}
