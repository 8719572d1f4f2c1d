package dev.tandem.lab.papers;

import java.util.List;

/// A run, with what of it shows a figure, or the reason of a difference.
///
/// @param says what it shows, in a sentence; empty if the figure's own text says it
/// @param charts the titles of the report's charts that show it
/// @param checks what the result must show; all of them
record Shown(String says, Job job, List<String> charts, List<Check> checks) {
    Shown {
        charts = List.copyOf(charts);
        checks = List.copyOf(checks);
    }

    Shown withChecks(List<Check> its) {
        return new Shown(says, job, charts, its);
    }
}
