package dev.tandem.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Loads a server with the `wrk` program, from one thread.
///
/// @param program its path
/// @param pinning its processor
record Wrk(Path program, Pinning pinning) {
    static final String WAY_OUT = "apt-get install wrk";

    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in");
    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([\\d.]+)");
    private static final Pattern SOCKET_ERRORS =
            Pattern.compile(
                    "Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");
    private static final Pattern BAD_STATUS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");

    /// Time beyond its load after which it is killed, in seconds.
    private static final int GRACE_SECONDS = 30;

    /// Result of a load.
    ///
    /// @param rate in requests per second
    /// @param p50Millis the median of the times from a request to its complete response
    /// @param p99Millis the 99th percentile
    /// @param errors of sockets, and responses that are not 2xx or 3xx
    record Load(long requests, double rate, double p50Millis, double p99Millis, long errors) {}

    static Wrk of(Toolbox tools, Pinning pinning) throws LabException {
        return new Wrk(tools.need("wrk", WAY_OUT), pinning);
    }

    /// @throws LabException if it fails, or receives no response at all
    Load load(int port, Trial trial, int seconds) throws LabException, InterruptedException {
        var command = new ArrayList<String>();
        command.addAll(List.of(program.toString(), "-t1", "-c" + trial.connections()));
        command.addAll(List.of("-d" + seconds + "s", "--latency", "--timeout", "10s"));
        if (trial.isClosing()) {
            command.addAll(List.of("-H", "Connection: close"));
        }
        command.add("http://127.0.0.1:" + port + trial.path());
        return parse(Toolbox.output(seconds + GRACE_SECONDS, pinning.onClient(command)));
    }

    /// @param report its output
    static Load parse(String report) throws LabException {
        Matcher requests = REQUESTS.matcher(report);
        Matcher rate = RATE.matcher(report);
        if (!requests.find() || !rate.find() || requests.group(1).equals("0")) {
            String last = report.strip().lines().reduce("it printed nothing", (_, line) -> line);
            throw new LabException("wrk received no responses: " + last);
        }
        return new Load(
                Long.parseLong(requests.group(1)),
                Double.parseDouble(rate.group(1)),
                percentileMillis(report, "50"),
                percentileMillis(report, "99"),
                errors(report));
    }

    private static long errors(String report) {
        long errors = 0;
        Matcher sockets = SOCKET_ERRORS.matcher(report);
        if (sockets.find()) {
            for (int i = 1; i <= sockets.groupCount(); i++) {
                errors += Long.parseLong(sockets.group(i));
            }
        }
        Matcher statuses = BAD_STATUS.matcher(report);
        return statuses.find() ? errors + Long.parseLong(statuses.group(1)) : errors;
    }

    private static double percentileMillis(String report, String percent) {
        Matcher time =
                Pattern.compile("\\s" + percent + "%\\s+([\\d.]+)(us|ms|s|m|h)\\b").matcher(report);
        return time.find() ? Double.parseDouble(time.group(1)) * millis(time.group(2)) : Double.NaN;
    }

    private static double millis(String unit) {
        return switch (unit) {
            case "us" -> 1e-3;
            case "ms" -> 1;
            case "s" -> 1e3;
            case "m" -> 60e3;
            default -> 3_600e3;
        };
    }
}
