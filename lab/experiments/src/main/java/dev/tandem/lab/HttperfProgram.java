package dev.tandem.lab;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Loads a server with the `httperf` program, in an open loop of one thread.
///
/// @param program its path
/// @param pinning its processor
record HttperfProgram(Path program, Pinning pinning) {
    static final String NAME = "httperf";
    static final String WAY_OUT = "apt-get install httperf";

    private static final Pattern TOTAL =
            Pattern.compile(
                    "(?m)^Total: connections (\\d+) requests (\\d+) replies (\\d+)"
                            + " test-duration ([\\d.]+) s");
    private static final Pattern ERRORS = Pattern.compile("(?m)^Errors: total (\\d+)");

    /// How many times its planned duration it may take: it ends when it has tried to open all its
    /// connections, which takes longer beyond its end, above all on a busy machine.
    private static final int STRETCH_MAX = 8;

    private static final int GRACE_SECONDS = 30;

    static HttperfProgram of(Toolbox tools, Pinning pinning) throws LabException {
        return new HttperfProgram(tools.need(NAME, WAY_OUT), pinning);
    }

    /// Opens connections at random times, as Poisson's process. Without `--hog`: by that it looks
    /// for a free port without end once all of its own are in use or in TIME_WAIT.
    ///
    /// @return figures by the names of [AppliedLoad]
    /// @throws LabException if it fails, or takes far longer than planned
    Map<String, Double> load(int port, String path, Plan plan)
            throws LabException, InterruptedException {
        List<String> command =
                List.of(
                        program.toString(),
                        "--server=127.0.0.1",
                        "--port=" + port,
                        "--uri=" + path,
                        Figures.format("--period=e%.9f", 1 / plan.rate),
                        "--num-conns=" + Math.max(1, Math.round(plan.rate * plan.seconds)),
                        "--num-calls=" + plan.calls,
                        "--timeout=" + plan.patienceSeconds);
        int limit = (int) Math.ceil(STRETCH_MAX * plan.seconds) + GRACE_SECONDS;
        return parse(Toolbox.output(limit, pinning.onClient(command)));
    }

    /// A load.
    ///
    /// @param rate new connections per second, at random times
    /// @param calls requests on each, one after the other
    /// @param patienceSeconds how long a client waits for progress
    record Plan(double rate, double seconds, int calls, long patienceSeconds) {}

    /// @param report its output
    static Map<String, Double> parse(String report) throws LabException {
        Matcher total = TOTAL.matcher(report);
        Matcher errors = ERRORS.matcher(report);
        if (!total.find() || !errors.find() || total.group(3).equals("0")) {
            String last = report.strip().lines().reduce("it printed nothing", (_, line) -> line);
            throw new LabException("httperf received no responses: " + last);
        }
        double seconds = Double.parseDouble(total.group(4));
        var figures = new LinkedHashMap<String, Double>();
        figures.put(AppliedLoad.REPLIES, Double.parseDouble(total.group(3)) / seconds);
        figures.put(AppliedLoad.OPENED, Double.parseDouble(total.group(1)) / seconds);
        figures.put(AppliedLoad.SENT, Double.parseDouble(total.group(2)) / seconds);
        figures.put(AppliedLoad.FAILED, Double.parseDouble(errors.group(1)) / seconds);
        return figures;
    }
}
