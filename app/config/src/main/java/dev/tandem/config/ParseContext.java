package dev.tandem.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// State of parsing one file: its variables and the problems found. Confined to a thread.
final class ParseContext {
    private final String file;
    private final Variables variables;
    private final boolean checksFiles;
    private final List<ConfigProblem> problems = new ArrayList<>();

    /// @param checksFiles whether files and folders that are named must exist
    ParseContext(String file, Variables variables, boolean checksFiles) {
        this.file = file;
        this.variables = variables;
        this.checksFiles = checksFiles;
    }

    boolean checksFiles() {
        return checksFiles;
    }

    /// Returns the number of problems so far.
    int problemCount() {
        return problems.size();
    }

    void addProblem(int line, String what) {
        problems.add(new ConfigProblem(file, line, what));
    }

    /// @throws ConfigException if there is a problem
    void throwIfInvalid() throws ConfigException {
        if (!problems.isEmpty()) {
            problems.sort(Comparator.comparingInt(ConfigProblem::line));
            throw new ConfigException(problems);
        }
    }

    /// Returns a value with its variables replaced; null after a problem.
    @Nullable TomlValue expand(@Nullable Object value, String path, int line) {
        if (value == null) {
            return null;
        }
        if (!(value instanceof String text && Variables.isReferencedIn(text))) {
            return new TomlValue(value, path, line, false);
        }
        try {
            return new TomlValue(variables.expand(text), path, line, true);
        } catch (InvalidValueException e) {
            addProblem(line, path + ": " + e.getMessage());
            return null;
        }
    }
}
