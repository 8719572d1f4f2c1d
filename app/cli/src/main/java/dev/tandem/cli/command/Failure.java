package dev.tandem.cli.command;

/// Ends a command with one line on standard error and a status.
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// What could not be done.
    public static final int FAILED = 1;

    /// What was asked in a way that is not understood.
    public static final int USAGE_ERROR = 2;

    private final int status;

    private Failure(int status, String line) {
        super(line, null, false, false);
        this.status = status;
    }

    /// @param line what is wrong, with the value, and the way out
    public static Failure failed(String line) {
        return new Failure(FAILED, line);
    }

    /// @param line what is wrong, with the value, and the way out
    public static Failure usageError(String line) {
        return new Failure(USAGE_ERROR, line);
    }

    public int status() {
        return status;
    }
}
