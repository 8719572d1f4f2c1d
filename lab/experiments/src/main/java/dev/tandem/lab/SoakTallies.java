package dev.tandem.lab;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The tallies of all kinds of clients, by their names. Safe for use by any thread.
record SoakTallies(Map<String, SoakTally> all) {

    static SoakTallies of(Collection<String> kinds) {
        var all = new LinkedHashMap<String, SoakTally>();
        kinds.forEach(name -> all.put(name, new SoakTally()));
        return new SoakTallies(all);
    }

    /// @throws IllegalArgumentException if there is no such kind
    SoakTally of(String kind) {
        SoakTally tally = all.get(kind);
        if (tally == null) {
            throw new IllegalArgumentException(kind);
        }
        return tally;
    }

    long runs() {
        return all.values().stream().mapToLong(SoakTally::runs).sum();
    }

    long failed() {
        return all.values().stream().mapToLong(SoakTally::failed).sum();
    }

    /// The first few failures of each kind.
    List<String> failures() {
        var failures = new ArrayList<String>();
        all.forEach(
                (name, tally) ->
                        tally.failures().forEach(what -> failures.add(name + ", " + what)));
        return failures;
    }

    Table table() {
        var table = new Table("clients", "runs", "failed");
        all.forEach(
                (name, tally) ->
                        table.row(
                                name,
                                Figures.show(tally.runs(), 0),
                                Figures.show(tally.failed(), 0)));
        return table;
    }
}
