package dev.tandem.config;

/// A problem of a configuration file.
///
/// @param file as it was named
/// @param line from 1; 0 for the file as a whole
/// @param description with the key, the value and what is allowed
public record ConfigProblem(String file, int line, String description) {

    /// Formats the problem as compilers do, so that editors find its position.
    @Override
    public String toString() {
        return line == 0 ? file + ": " + description : file + ":" + line + ": " + description;
    }
}
