package dev.tandem.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One file that is being read, and what is wrong with it so far. Confined to a thread.
final class Reading {
    private final String file;
    private final Variables variables;
    private final boolean looksAtDisk;
    private final List<Complaint> complaints = new ArrayList<>();

    /// @param looksAtDisk whether what is named must be there
    Reading(String file, Variables variables, boolean looksAtDisk) {
        this.file = file;
        this.variables = variables;
        this.looksAtDisk = looksAtDisk;
    }

    boolean looksAtDisk() {
        return looksAtDisk;
    }

    /// How many complaints there are so far.
    int count() {
        return complaints.size();
    }

    void complain(int line, String what) {
        complaints.add(new Complaint(file, line, what));
    }

    /// @throws ConfigException if there was something to complain of
    void end() throws ConfigException {
        if (!complaints.isEmpty()) {
            complaints.sort(Comparator.comparingInt(Complaint::line));
            throw new ConfigException(complaints);
        }
    }

    /// A value with its variables put in; null after a complaint.
    @Nullable Written written(@Nullable Object value, String path, int line) {
        if (value == null) {
            return null;
        }
        if (!(value instanceof String text && Variables.areIn(text))) {
            return new Written(value, path, line, false);
        }
        try {
            return new Written(variables.expand(text), path, line, true);
        } catch (Wrong e) {
            complain(line, path + ": " + e.getMessage());
            return null;
        }
    }
}
