package dev.tandem.config;

/// What is wrong with a file.
///
/// @param file as it was named
/// @param line from 1; 0 for the file as a whole
/// @param description with the key, the value and what is allowed
public record ConfigProblem(String file, int line, String description) {

    /// As compilers say it, so that editors find the place.
    @Override
    public String toString() {
        return line == 0 ? file + ": " + description : file + ":" + line + ": " + description;
    }
}
