package dev.tandem.lab.papers;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Says which servers were warm when a run began to measure them. Immutable.
final class Warmth {
    /// As a run records it: the server, at which settings, and how long it was loaded.
    private static final Pattern LOAD =
            Pattern.compile("(.+?)(?:(?: at |, ).*)? (after|not within) ([\\d,]+) s");

    private final List<Load> loads;

    /// A load before a measurement, of at most so many seconds.
    private record Load(String server, boolean isWarm, String seconds) {
        static Load parse(String line) {
            Matcher parts = LOAD.matcher(line);
            if (!parts.matches()) {
                throw new IllegalArgumentException("not a load until a server is warm: " + line);
            }
            return new Load(parts.group(1), parts.group(2).equals("after"), parts.group(3));
        }
    }

    private Warmth(List<Load> loads) {
        this.loads = loads;
    }

    /// @param recorded by a run, lines divided by a semicolon; empty if it detects no warmth
    static Warmth parse(String recorded) {
        return new Warmth(
                recorded.isEmpty()
                        ? List.of()
                        : Stream.of(recorded.split("; ")).map(Load::parse).toList());
    }

    /// Returns a part of a sentence; empty if no warmth was detected.
    String clause() {
        String cold =
                loads.stream()
                        .filter(load -> !load.isWarm())
                        .map(Load::server)
                        .distinct()
                        .map(this::cold)
                        .collect(Collectors.joining(", "));
        if (loads.isEmpty()) {
            return "";
        }
        return cold.isEmpty() ? "all servers were warm" : "warm were all but: " + cold;
    }

    /// A server that is loaded more than once, or at several settings, has one clause.
    private String cold(String server) {
        List<Load> its = loads.stream().filter(load -> load.server().equals(server)).toList();
        List<Load> cold = its.stream().filter(load -> !load.isWarm()).toList();
        String within = server + " not within " + cold.getFirst().seconds() + " s";
        return its.size() == 1
                ? within
                : within + " in " + cold.size() + " of " + its.size() + " loads";
    }
}
