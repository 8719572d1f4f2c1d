package dev.tandem.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Loads a server with the `h2load` program, from one thread, in a closed loop.
///
/// @param program its path
/// @param pinning its processor
record H2load(Path program, Pinning pinning) {
    static final String WAY_OUT = "apt-get install nghttp2-client";

    private static final Pattern RATE = Pattern.compile("(?m)^finished in [^,]+, ([\\d.]+) req/s");
    private static final Pattern REQUESTS =
            Pattern.compile("(?m)^requests: .* (\\d+) succeeded, (\\d+) failed, (\\d+) errored");

    /// Time beyond its load after which it is killed, in seconds.
    private static final int GRACE_SECONDS = 30;

    /// Result of a load.
    ///
    /// @param rate in responses per second
    /// @param errors responses with a wrong status, and requests without one
    record Load(double rate, long errors) {}

    static H2load of(Toolbox tools, Pinning pinning) throws LabException {
        return new H2load(tools.need("h2load", WAY_OUT), pinning);
    }

    /// @param connections with one request at a time each
    /// @param isHttp2 over HTTP/2 by prior knowledge, else HTTP/1.1
    /// @throws LabException if it fails, or receives no response at all
    Load load(String url, int connections, boolean isHttp2, int seconds)
            throws LabException, InterruptedException {
        var command = new ArrayList<String>();
        command.addAll(List.of(program.toString(), "-t1", "-c" + connections, "-m1"));
        command.addAll(List.of("-D", Integer.toString(seconds)));
        if (!isHttp2) {
            command.add("--h1");
        }
        command.add(url);
        return parse(Toolbox.output(seconds + GRACE_SECONDS, pinning.onClient(command)));
    }

    /// @param report its output
    static Load parse(String report) throws LabException {
        Matcher rate = RATE.matcher(report);
        Matcher requests = REQUESTS.matcher(report);
        if (!rate.find() || !requests.find() || requests.group(1).equals("0")) {
            String last = report.strip().lines().reduce("it printed nothing", (_, line) -> line);
            throw new LabException("h2load received no responses: " + last);
        }
        return new Load(
                Double.parseDouble(rate.group(1)),
                Long.parseLong(requests.group(2)) + Long.parseLong(requests.group(3)));
    }
}
