package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;

/// A server with a web application: the root of a plan is the application's folder.
///
/// @param like the server with the lab's own endpoints
/// @param flags for its JVM: configure the application
/// @param prefix of its command; may be empty
record AppRival(Rival like, List<String> flags, List<String> prefix) implements Rival {
    /// Path that every application serves.
    private static final String FIRST = "/";

    AppRival(Rival like, List<String> flags) {
        this(like, flags, List.of());
    }

    @Override
    public String name() {
        return like.name();
    }

    @Override
    public boolean hasCode() {
        return true;
    }

    @Override
    public String version(Toolbox tools) throws LabException, InterruptedException {
        return like.version(tools);
    }

    @Override
    public List<String> command(RivalPlan plan, Environment environment) throws LabException {
        var command = new ArrayList<String>();
        if (like == OwnRival.TANDEM) {
            command.addAll(Apps.withCatalina(environment.target().words()));
            command.addAll(running(plan));
        } else if (like == OwnRival.MULTI_THREADED) {
            command.addAll(Apps.withCatalina(like.command(plan, environment)));
            command.add("--app");
        } else {
            command.addAll(like.command(plan, environment));
        }
        command.addAll(1, flags);
        command.addAll(0, prefix);
        return command;
    }

    /// The command, as users run it.
    private static List<String> running(RivalPlan plan) {
        var words = new ArrayList<String>();
        words.addAll(List.of("run", plan.root().toString()));
        words.addAll(List.of("--listen", "127.0.0.1:" + plan.port()));
        Certificate certificate = plan.settings().certificate();
        if (certificate != null) {
            words.addAll(certificate.words(plan.tlsPort()));
        }
        if (plan.settings().isFixed()) {
            words.addAll(List.of("--workers", Integer.toString(plan.settings().threads())));
        }
        int managePort = plan.settings().managePort();
        if (managePort > 0) {
            words.addAll(List.of("--manage", "127.0.0.1:" + managePort, "--manage-trace"));
        }
        return words;
    }

    @Override
    public RunningRival start(RivalPlan plan, Environment environment)
            throws LabException, InterruptedException {
        return RunningRival.start(this, plan, environment, FIRST);
    }
}
