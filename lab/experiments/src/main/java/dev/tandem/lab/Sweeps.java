package dev.tandem.lab;

import java.util.LinkedHashMap;
import java.util.Map;

/// Loads of several conditions, told apart by what a contender's name ends with, such as
/// `tandem, CGI`. Confined to one thread.
final class Sweeps implements Rounds.Turn {
    private final Sweep plain;
    private final Map<String, Sweep> conditions = new LinkedHashMap<>();

    /// @param plain the load of those whose names end with no condition
    Sweeps(Sweep plain) {
        this.plain = plain;
    }

    /// @param condition such as `, CGI`
    Sweeps with(String condition, Sweep sweep) {
        conditions.put(condition, sweep);
        return this;
    }

    private Sweep of(Cell cell) {
        for (Map.Entry<String, Sweep> condition : conditions.entrySet()) {
            if (cell.contender().endsWith(condition.getKey())) {
                return condition.getValue();
            }
        }
        return plain;
    }

    @Override
    public void warm(Cell cell) throws LabException, InterruptedException {
        of(cell).warm(cell);
    }

    @Override
    public Reading take(Cell cell, int round) throws LabException, InterruptedException {
        return of(cell).take(cell, round);
    }
}
