package dev.tandem.lab;

/// An experiment that cannot be done. The message is one line: what is wrong, with its value, and
/// the way out.
public final class LabException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String line;

    LabException(String line) {
        super(line);
        this.line = line;
    }

    String line() {
        return line;
    }
}
