package dev.tandem.cli;

import dev.tandem.cli.command.Terminal;

/// Entry point of the process.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        JdkLogFormat.configure();
        int status = new Commands(Terminal.ofProcess(), new ProcessLifecycle()).execute(args);
        if (status != 0) {
            System.exit(status);
        }
        // Otherwise the process ends with the server's last thread.
    }
}
