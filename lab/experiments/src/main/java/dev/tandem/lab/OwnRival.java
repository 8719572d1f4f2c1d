package dev.tandem.lab;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A server of this program.
///
/// @param words the command that serves
record OwnRival(String name, boolean hasCode, Words words) implements Rival {
    static final Setting COYOTE =
            new Setting(
                    "coyote",
                    "yes|no",
                    "yes",
                    "multi-threaded: shorter time-outs as threads run out");

    static final OwnRival TANDEM = new OwnRival("tandem", true, OwnRival::target);

    static final OwnRival MULTI_THREADED =
            new OwnRival("multi-threaded", true, OwnRival::multiThreaded);

    static final OwnRival EVENT_DRIVEN =
            new OwnRival("event-driven", false, plan -> eventDrivenWords(plan.processorCount()));

    /// The event-driven one with a number of threads, a loop each, instead of one for each
    /// processor.
    static OwnRival eventDriven(int threads) {
        return new OwnRival(
                EVENT_DRIVEN.name() + "-" + threads, false, _ -> eventDrivenWords(threads));
    }

    /// Whether the multi-threaded rival has Coyote's rule, as the papers' Tomcat had.
    static boolean isShortened(Settings settings) {
        return settings.words(COYOTE, List.of("yes", "no")).getFirst().equals("yes");
    }

    /// Arguments after `lab`.
    @FunctionalInterface
    interface Words {
        List<String> of(RivalPlan plan);
    }

    /// With CGI if the plan has programs.
    private static List<String> target(RivalPlan plan) {
        var words = new ArrayList<String>();
        words.addAll(List.of("target", "--workers"));
        words.add(Integer.toString(plan.settings().threads()));
        Path programs = plan.root().resolve("cgi-bin");
        if (Files.isDirectory(programs)) {
            words.addAll(List.of("--cgi", programs.toString()));
        }
        int managePort = plan.settings().managePort();
        if (managePort > 0) {
            words.addAll(List.of("--manage", "127.0.0.1:" + managePort, "--manage-trace"));
        }
        return words;
    }

    private static List<String> eventDrivenWords(int loops) {
        return List.of("rival", "event-driven", "--loops", Integer.toString(loops));
    }

    private static List<String> multiThreaded(RivalPlan plan) {
        RivalSettings settings = plan.settings();
        return List.of(
                "rival",
                "multi-threaded",
                "--threads",
                Integer.toString(settings.threads()),
                "--keep-alive",
                settings.keepAlive().toMillis() + "ms",
                "--coyote-rule",
                settings.isShortened() ? "yes" : "no");
    }

    @Override
    public String version(Toolbox tools) {
        return "this Tandem, on JDK " + Runtime.version();
    }

    @Override
    public List<String> command(RivalPlan plan, Environment environment) {
        var command = new ArrayList<String>(environment.target().words());
        command.add("lab");
        command.addAll(words.of(plan));
        command.addAll(List.of("--listen", "127.0.0.1:" + plan.port()));
        command.addAll(List.of("--root", plan.root().toString()));
        Certificate certificate = plan.settings().certificate();
        if (certificate != null) {
            command.addAll(List.of("--tls", "127.0.0.1:" + plan.tlsPort()));
            command.addAll(List.of("--cert", certificate.chain().toString()));
            command.addAll(List.of("--key", certificate.key().toString()));
        }
        return command;
    }
}
