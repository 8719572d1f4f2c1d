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
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.util.pattern.PathPattern;

/// All patterns of an application: those without variables by their text, the others by their first
/// segment, so that a large application is as fast as a small one. Immutable.
final class RouteTable {
    static final RouteTable EMPTY = new RouteTable(Map.of(), Map.of());

    private static final String ANY = "";

    private final Map<String, List<Entry>> plain;
    private final Map<String, List<Entry>> bySegment;

    /// @param methods names; empty for any
    record Entry(PathPattern pattern, Set<String> methods) {
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

    static RouteTable of(List<RequestMappingInfo> all) {
        var plain = new HashMap<String, List<Entry>>();
        var bySegment = new HashMap<String, List<Entry>>();
        for (RequestMappingInfo info : all) {
            PathPatternsRequestCondition paths = info.getPathPatternsCondition();
            Set<String> methods =
                    info.getMethodsCondition().getMethods().stream()
                            .map(Enum::name)
                            .collect(Collectors.toUnmodifiableSet());
            for (PathPattern pattern :
                    paths == null ? Set.<PathPattern>of() : paths.getPatterns()) {
                String text = pattern.getPatternString();
                Map<String, List<Entry>> map = pattern.hasPatternSyntax() ? bySegment : plain;
                String key = pattern.hasPatternSyntax() ? firstSegment(text) : text;
                map.computeIfAbsent(key, _ -> new ArrayList<>()).add(new Entry(pattern, methods));
            }
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

    /// @param text the same path
    @Nullable Entry find(String method, PathContainer path, String text) {
        for (Entry each : plain.getOrDefault(text, List.of())) {
            if (each.accepts(method)) {
                return each;
            }
        }
        Entry bySegmentMatch = best(firstSegment(text), method, path);
        Entry wildcardMatch = best(ANY, method, path);
        boolean isNear =
                wildcardMatch == null
                        || bySegmentMatch != null
                                && bySegmentMatch.pattern.compareTo(wildcardMatch.pattern) <= 0;
        return isNear ? bySegmentMatch : wildcardMatch;
    }

    private @Nullable Entry best(String segment, String method, PathContainer path) {
        for (Entry each : bySegment.getOrDefault(segment, List.of())) {
            if (each.accepts(method) && each.pattern.matches(path)) {
                return each;
            }
        }
        return null;
    }
}
