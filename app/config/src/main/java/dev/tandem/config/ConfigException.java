package dev.tandem.config;

import java.util.List;
import java.util.stream.Collectors;

/// A configuration is invalid. The message lists all problems, one per line.
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    /// @param problems at least one
    ConfigException(List<ConfigProblem> problems) {
        super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /// Returns the problems in the order of their lines.
    public List<ConfigProblem> problems() {
        return problems;
    }
}
