package dev.tandem.lab;

/// Reports an experiment that is impossible. The message is one line: what is wrong, with its
/// value, and the remedy.
public final class LabException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String line;

    public LabException(String line) {
        super(line);
        this.line = line;
    }

    String line() {
        return line;
    }
}
