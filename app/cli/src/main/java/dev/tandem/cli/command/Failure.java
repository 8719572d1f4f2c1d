package dev.tandem.cli.command;

/// Ends a command with one line on standard error and an exit status.
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Exit status of a failed command.
    public static final int FAILED = 1;

    /// Exit status of a usage error.
    public static final int USAGE_ERROR = 2;

    private final int status;

    private Failure(int status, String line) {
        super(line, null, false, false);
        this.status = status;
    }

    /// @param line the problem, with the value, and how to solve it
    public static Failure failed(String line) {
        return new Failure(FAILED, line);
    }

    /// @param line the problem, with the value, and how to solve it
    public static Failure usageError(String line) {
        return new Failure(USAGE_ERROR, line);
    }

    public int status() {
        return status;
    }
}
