package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// A server in a comparison.
///
/// @param name such as `tandem`
/// @param hasCode whether it runs code for its responses: else it has only the plain trials
/// @param warmSeconds CPU that it uses before it is measured: a JVM compiles for seconds
/// @param command makes the command that starts it at a port
record Contender(String name, boolean hasCode, double warmSeconds, Command command) {
    static final String TANDEM = "tandem";

    /// Nothing is compiled at run time: enough to fill its caches.
    static final double NATIVE_WARM_SECONDS = 1.5;

    /// Creates a command line.
    @FunctionalInterface
    interface Command {
        List<String> at(int port) throws LabException;
    }

    static Contender tandem(TargetCommand target, double warmSeconds, WorkFolder workFolder) {
        return new Contender(TANDEM, true, warmSeconds, port -> target.at(port, workFolder.root()));
    }

    /// @param warmSecondsMax CPU for warming a JVM
    /// @throws LabException if nginx is not there
    static Contender nginx(Toolbox tools, double warmSecondsMax, WorkFolder workFolder)
            throws LabException {
        Path program = tools.need("nginx", "apt-get install nginx");
        return new Contender(
                "nginx",
                false,
                Math.min(warmSecondsMax, NATIVE_WARM_SECONDS),
                port -> Nginx.command(program, port, workFolder));
    }

    /// Starts it, pinned, and checks its response to the trial's request.
    ///
    /// @throws LabException if the response is wrong; the server is stopped then
    Child start(Trial trial, Pinning pinning, WorkFolder workFolder)
            throws LabException, InterruptedException {
        if (!hasCode && !trial.isPlain()) {
            throw new LabException(name + " runs no application code");
        }
        int port = FreePorts.next();
        Child child =
                Child.start(name, pinning.onServer(command.at(port)), port, workFolder.log(name));
        try {
            child.awaitResponse(Trial.HELLO.path());
            check(trial, port);
            return child;
        } catch (LabException | InterruptedException e) {
            child.close();
            throw e;
        }
    }

    /// @throws LabException if the response to the trial's request is wrong
    static void check(Trial trial, int port) throws LabException {
        try (var caller = Caller.connect(port)) {
            Caller.Reply reply = caller.get(trial.path());
            if (reply.status() != 200) {
                throw new LabException(trial.path() + " gets status " + reply.status());
            }
            int length = reply.body().length;
            if (trial.length() != Trial.ANY && trial.length() != length) {
                throw new LabException(
                        trial.path() + " has " + length + " bytes, not " + trial.length());
            }
        } catch (IOException e) {
            throw new LabException(trial.path() + " gets no response: " + e.getMessage());
        }
    }
}
