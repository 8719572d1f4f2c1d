package dev.tandem.spring;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/// All patterns of an application: those without variables by their text, the others by their first
/// segment, so that a large application is as fast as a small one. The time of a look-up is bounded
/// ([BoundedPattern]), since event loops do it. Immutable.
final class RouteTable {
    static final RouteTable EMPTY = new RouteTable(Map.of(), Map.of());

    private static final String ANY = "";

    private final Map<String, List<Entry>> plain;
    private final Map<String, List<Entry>> bySegment;

    /// @param methods names; empty for any
    /// @param bounded the pattern's form if it has regular expressions
    record Entry(
            PathPattern pattern,
            Set<String> methods,
            @Nullable BoundedPattern bounded,
            boolean isCaseSensitive) {
        private boolean matches(PathContainer path, BoundedPattern.Steps steps) {
            return bounded == null ? pattern.matches(path) : bounded.matches(path, steps);
        }

        boolean accepts(String method) {
            return methods.isEmpty()
                    || methods.contains(method)
                    || method.equals("HEAD") && methods.contains("GET");
        }
    }

    private RouteTable(Map<String, List<Entry>> plain, Map<String, List<Entry>> bySegment) {
        this.plain = plain;
        this.bySegment = bySegment;
    }

    /// Returns the patterns of a mapping.
    ///
    /// @param parser which made them
    static List<Entry> entries(RequestMappingInfo mapping, PathPatternParser parser) {
        PathPatternsRequestCondition paths = mapping.getPathPatternsCondition();
        Set<String> methods =
                mapping.getMethodsCondition().getMethods().stream()
                        .map(Enum::name)
                        .collect(Collectors.toUnmodifiableSet());
        Set<PathPattern> patterns = paths == null ? Set.of() : paths.getPatterns();
        return patterns.stream().map(each -> entry(each, methods, parser)).toList();
    }

    private static Entry entry(PathPattern pattern, Set<String> methods, PathPatternParser parser) {
        BoundedPattern bounded = BoundedPattern.of(pattern, parser);
        return new Entry(pattern, methods, bounded, parser.isCaseSensitive());
    }

    static RouteTable of(List<Entry> all) {
        var plain = new HashMap<String, List<Entry>>();
        var bySegment = new HashMap<String, List<Entry>>();
        for (Entry entry : all) {
            String text = entry.pattern.getPatternString();
            boolean isPlain = entry.isCaseSensitive && !entry.pattern.hasPatternSyntax();
            Map<String, List<Entry>> map = isPlain ? plain : bySegment;
            String segment = entry.isCaseSensitive ? firstSegment(text) : ANY;
            map.computeIfAbsent(isPlain ? text : segment, _ -> new ArrayList<>()).add(entry);
        }
        var bestFirst = Comparator.comparing(Entry::pattern);
        bySegment.values().forEach(entries -> entries.sort(bestFirst));
        return new RouteTable(Map.copyOf(plain), Map.copyOf(bySegment));
    }

    /// Returns the path up to the second slash; [#ANY] if it contains a variable.
    private static String firstSegment(String path) {
        int end = path.indexOf('/', 1);
        String first = end < 0 ? path : path.substring(0, end);
        boolean isPlain = first.chars().noneMatch(c -> c == '{' || c == '*' || c == '?');
        return isPlain ? first : ANY;
    }

    @Nullable Entry find(String method, PathContainer path) {
        String text = text(path);
        var steps = new BoundedPattern.Steps();
        for (Entry each : plain.getOrDefault(text, List.of())) {
            if (each.accepts(method) && each.matches(path, steps)) {
                return each;
            }
        }
        Entry bySegmentMatch = best(firstSegment(text), method, path, steps);
        Entry wildcardMatch = best(ANY, method, path, steps);
        boolean isNear =
                wildcardMatch == null
                        || bySegmentMatch != null
                                && bySegmentMatch.pattern.compareTo(wildcardMatch.pattern) <= 0;
        return isNear ? bySegmentMatch : wildcardMatch;
    }

    /// Returns the path as patterns see it: decoded, without parameters such as `;jsessionid=1`.
    private static String text(PathContainer path) {
        var text = new StringBuilder();
        path.elements().forEach(each -> text.append(text(each)));
        return text.toString();
    }

    /// Returns a part of a path as patterns see it.
    static String text(PathContainer.Element part) {
        return part instanceof PathSegment segment ? segment.valueToMatch() : part.value();
    }

    private @Nullable Entry best(
            String segment, String method, PathContainer path, BoundedPattern.Steps steps) {
        for (Entry each : bySegment.getOrDefault(segment, List.of())) {
            if (each.accepts(method) && each.matches(path, steps)) {
                return each;
            }
        }
        return null;
    }
}
