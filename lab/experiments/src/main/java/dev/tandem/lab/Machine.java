package dev.tandem.lab;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Facts on the machine and the programs, without which the figures mean nothing.
final class Machine {
    /// The first line of no output.
    private static final String NOTHING = "?";

    private Machine() {}

    static Map<String, String> describe(Environment environment, Pinning pinning)
            throws LabException, InterruptedException {
        var facts = new LinkedHashMap<String, String>();
        facts.put("date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
        facts.put(
                "processors",
                Runtime.getRuntime().availableProcessors() + " x " + Kernel.processorName());
        facts.put("memory", Kernel.memoryBytes() / (1024 * 1024) + " MiB");
        facts.put("pinning", pinning.toString());
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("clock", Kernel.clockSource());
        facts.put("descriptors", Figures.show(Kernel.descriptorsMax(), 0));
        facts.put("jdk", System.getProperty("java.vendor.version") + ", " + Runtime.version());
        facts.put("jvmFlags", environment.target().flags());
        commit(facts, environment.tools());
        version(facts, environment.tools(), "wrk");
        version(facts, environment.tools(), "nginx");
        return facts;
    }

    /// Adds the measured commit of Tandem, where it runs from a clone.
    private static void commit(Map<String, String> facts, Toolbox tools)
            throws InterruptedException {
        Path git = tools.find("git");
        String home = System.getProperty("tandem.home");
        if (git != null && home != null) {
            String described = git(git, home, "describe", "--always", "--abbrev=10");
            // Reports and pages are written between parts of a run; only code changes figures.
            String changed = git(git, home, "status", "--porcelain", "-uno", "--", ".", ":!docs");
            String commit = described + (changed.equals(NOTHING) ? "" : ", changed");
            if (commit.matches("[0-9a-zA-Z.-]+(, changed)?")) {
                facts.put("commit", commit);
            }
        }
    }

    /// @return the first line of its output
    private static String git(Path git, String home, String... words) throws InterruptedException {
        var command = new ArrayList<String>(List.of(git.toString(), "-C", home));
        command.addAll(List.of(words));
        return Toolbox.firstLine(command);
    }

    private static void version(Map<String, String> facts, Toolbox tools, String program)
            throws InterruptedException {
        Path file = tools.find(program);
        if (file != null) {
            facts.put(program, Toolbox.firstLine(List.of(file.toString(), "-v")));
        }
    }
}
