package dev.tandem.lab.papers;

import dev.tandem.lab.WarmLoad;
import java.util.List;
import java.util.stream.Collectors;

/// Says which servers were warm when a run began to measure them. Immutable.
final class Warmth {
    private final List<WarmLoad> loads;

    private Warmth(List<WarmLoad> loads) {
        this.loads = loads;
    }

    /// @param fact of a report; empty if it detects no warmth
    static Warmth parse(String fact) {
        return new Warmth(WarmLoad.parse(fact));
    }

    /// Returns a part of a sentence; empty if no warmth was detected.
    String clause() {
        String cold =
                loads.stream()
                        .filter(load -> !load.isWarm())
                        .map(WarmLoad::server)
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
        List<WarmLoad> its = loads.stream().filter(load -> load.server().equals(server)).toList();
        List<WarmLoad> cold = its.stream().filter(load -> !load.isWarm()).toList();
        String within = server + " not within " + cold.getFirst().seconds() + " s";
        return its.size() == 1
                ? within
                : within + " in " + cold.size() + " of " + its.size() + " loads";
    }
}
