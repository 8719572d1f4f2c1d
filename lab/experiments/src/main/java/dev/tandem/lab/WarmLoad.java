package dev.tandem.lab;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A load until a server was warm, in the words of a report. Immutable.
///
/// @param name of the server; behind `, ` or ` at ` its settings
/// @param isWarm whether its responses cost the same from second to second at the end
/// @param seconds how long it was loaded, as the report shows it
public record WarmLoad(String name, boolean isWarm, String seconds) {
    private static final String BETWEEN = "; ";
    private static final String WARM = " after ";
    private static final String COLD = " not within ";
    private static final String UNIT = " s";

    private static final Pattern WORDS =
            Pattern.compile("(.+?)(" + WARM + "|" + COLD + ")([\\d,]+)" + UNIT);

    private static final Pattern SETTINGS = Pattern.compile("(?: at |, ).*");

    static WarmLoad of(String name, boolean isWarm, double seconds) {
        return new WarmLoad(name, isWarm, Figures.show(seconds, 0));
    }

    /// @param fact of a report, of one load or more; empty if it has none
    /// @throws IllegalArgumentException if it is something else
    public static List<WarmLoad> parse(String fact) {
        return fact.isEmpty()
                ? List.of()
                : Stream.of(fact.split(BETWEEN)).map(WarmLoad::parseOne).toList();
    }

    private static WarmLoad parseOne(String words) {
        Matcher parts = WORDS.matcher(words);
        if (!parts.matches()) {
            throw new IllegalArgumentException("not a load until a server is warm: " + words);
        }
        return new WarmLoad(parts.group(1), parts.group(2).equals(WARM), parts.group(3));
    }

    /// The server, without its settings.
    public String server() {
        return SETTINGS.matcher(name).replaceFirst("");
    }

    /// This load, such as `tandem after 29 s`.
    String words() {
        return name + (isWarm ? WARM : COLD) + seconds + UNIT;
    }

    /// Returns a fact with this load as its last.
    ///
    /// @param fact of the loads before; empty if there were none
    String addTo(String fact) {
        return fact.isEmpty() ? words() : fact + BETWEEN + words();
    }
}
