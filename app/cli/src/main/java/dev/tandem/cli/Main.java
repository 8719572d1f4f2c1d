package dev.tandem.cli;

import dev.tandem.cli.command.Terminal;

/// Where the process begins.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        JdkLogFormat.configure();
        int status = new Commands(Terminal.ofProcess(), new ProcessLifecycle()).execute(args);
        if (status != 0) {
            System.exit(status);
        }
        // Else the last thread of the server ends the process.
    }
}
