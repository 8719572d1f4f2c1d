package dev.tandem.cli;

import dev.tandem.cli.command.Terminal;

/// Entry point of the process.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        JdkLogFormat.configure();
        var lifecycle = new ProcessLifecycle();
        int status = new Commands(Terminal.ofProcess(), lifecycle).execute(args);
        lifecycle.commandEnded();
        if (status != 0) {
            System.exit(status);
        }
        // Otherwise the process ends with the server's last thread.
    }
}
