package dev.tandem.lab;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What figures were taken on and with: without it they mean nothing.
final class Machine {
    private Machine() {}

    static Map<String, String> describe(Surroundings around, Pinning pinning)
            throws LabException, InterruptedException {
        var facts = new LinkedHashMap<String, String>();
        facts.put("date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
        facts.put(
                "processors",
                Runtime.getRuntime().availableProcessors() + " x " + Kernel.processorName());
        facts.put("pinning", pinning.toString());
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("jdk", System.getProperty("java.vendor.version") + ", " + Runtime.version());
        facts.put("jvmFlags", around.target().flags());
        version(facts, around.tools(), "wrk");
        version(facts, around.tools(), "nginx");
        return facts;
    }

    private static void version(Map<String, String> facts, Toolbox tools, String program)
            throws InterruptedException {
        Path file = tools.find(program);
        if (file != null) {
            facts.put(program, Toolbox.firstLine(List.of(file.toString(), "-v")));
        }
    }
}
