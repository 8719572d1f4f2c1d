package dev.tandem.config;

import java.util.List;
import java.util.stream.Collectors;

/// A configuration cannot be used. Its message has all that is wrong, a line each.
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Complaint> complaints;

    /// @param complaints at least one
    ConfigException(List<Complaint> complaints) {
        super(complaints.stream().map(Complaint::toString).collect(Collectors.joining("\n")));
        this.complaints = List.copyOf(complaints);
    }

    /// In the order of their lines.
    public List<Complaint> complaints() {
        return complaints;
    }
}
