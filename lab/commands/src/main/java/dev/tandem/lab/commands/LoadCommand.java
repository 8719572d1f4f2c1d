package dev.tandem.lab.commands;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Client;
import dev.tandem.load.Http2;
import dev.tandem.load.Load;
import dev.tandem.load.LoadReport;
import dev.tandem.load.Period;
import dev.tandem.load.Repeat;
import dev.tandem.load.Step;
import dev.tandem.load.Target;
import dev.tandem.load.TimeLimits;
import dev.tandem.load.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// `tandem load URL`: the load generator in its simple form.
final class LoadCommand {
    private static final String HTTP2 = "--http2";
    private static final String STREAMS = "--streams";
    private static final String RETRY_REFUSED = "--retry-refused";

    private final Arguments arguments;
    private final Terminal terminal;

    private LoadCommand(Arguments arguments, Terminal terminal) {
        this.arguments = arguments;
        this.terminal = terminal;
    }

    static Command of(Terminal terminal) {
        return new Command(
                "load",
                "URL",
                "loads a server and says what came of it",
                List.of(),
                List.of(
                        new Option("--connections", "N", "64", "clients at once, without --rate"),
                        new Option(
                                "--rate", "R", "", "clients a second, at random times (open loop)"),
                        new Option("--duration", "SECONDS", "10", "how long"),
                        new Option("--warmup", "SECONDS", "0", "at its beginning, not counted"),
                        new Option(
                                "--calls",
                                "N",
                                "",
                                "requests of a client (no limit; 1 with --rate)"),
                        new Option("--think", "SECONDS", "0", "between a client's requests"),
                        new Option("--pipeline", "N", "1", "pipelined requests on a connection"),
                        Option.flag(
                                HTTP2, "HTTP/2: by ALPN with https, else by prior knowledge (h2c)"),
                        new Option(STREAMS, "N", "1", "with --http2: clients on each connection"),
                        new Option(RETRY_REFUSED, "N", "0", "with --http2: of a refused stream"),
                        new Option("--timeout", "SECONDS", "10", "without progress"),
                        new Option("--method", "M", "GET", "request method"),
                        new Option(
                                "--header",
                                "'A: B'",
                                "",
                                "an additional header; \\n separates several"),
                        new Option("--body", "FILE", "", "file of the request body"),
                        Option.flag("--close", "a connection for each request"),
                        new Option("--threads", "N", "1", "of the generator"),
                        new Option("--seed", "N", "1", "of all random numbers"),
                        new Option(LoadRuns.JSON, "FILE", "", "file for all figures"),
                        Option.flag(LoadRuns.OWN, "confirms that a target elsewhere is mine")),
                arguments -> new LoadCommand(arguments, terminal).run());
    }

    private void run() {
        var runs = new LoadRuns(arguments, terminal);
        LoadReport report = runs.play(load(), workload());
        terminal.out().print(report.text());
        terminal.out().flush();
        runs.write(report);
        if (report.replies().count() == 0) {
            throw Failure.failed("no reply: " + errors(report));
        }
    }

    private static String errors(LoadReport report) {
        var words = new ArrayList<String>();
        report.errors().forEach((outcome, count) -> words.add(outcome.word() + " " + count));
        return words.isEmpty() ? "the server was silent" : String.join(", ", words);
    }

    private Load load() {
        try {
            return Load.of(Target.of(arguments.operand()))
                    .withArrivals(arrivals())
                    .withTime(seconds("--duration"))
                    .withWarmup(seconds("--warmup"))
                    .withTimeLimits(TimeLimits.of(seconds("--timeout")))
                    .withThreads((int) number("--threads"))
                    .withSeed((long) number("--seed"))
                    .withClient(client())
                    .withOwnTarget(arguments.has(LoadRuns.OWN));
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(String.valueOf(e.getMessage()));
        }
    }

    private Client client() {
        Client client =
                Client.DEFAULT
                        .withConnectionsKept(!arguments.has("--close"))
                        .withPipelinedMax((int) number("--pipeline"));
        if (!arguments.has(HTTP2)) {
            for (String option : List.of(STREAMS, RETRY_REFUSED)) {
                if (arguments.has(option)) {
                    throw arguments.usageError(option + " needs " + HTTP2);
                }
            }
            return client;
        }
        boolean isShared = arguments.has(STREAMS);
        int streams = isShared ? (int) number(STREAMS) : Http2.DEFAULT.streamsMax();
        return client.withVersion(Client.Version.HTTP_2)
                .withHttp2(new Http2(streams, isShared, (int) number(RETRY_REFUSED)));
    }

    /// Clients at once: one for each connection, or for each stream.
    private int clients() {
        return (int) (number("--connections") * number(STREAMS));
    }

    private Arrivals arrivals() {
        return arguments.has("--rate")
                ? Arrivals.open(Period.poisson(number("--rate")))
                : Arrivals.closed(clients());
    }

    private Workload workload() {
        try {
            Call call = Call.of(arguments.value("--method"), Target.path(arguments.operand()));
            for (String line : arguments.value("--header").split("\n|\\\\n")) {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    call =
                            call.withHeader(
                                    line.substring(0, colon), line.substring(colon + 1).strip());
                } else if (!line.isEmpty()) {
                    throw arguments.usageError("--header '" + line + "' is not NAME: VALUE");
                }
            }
            if (arguments.has("--body")) {
                call = call.withBody(Files.readAllBytes(Path.of(arguments.value("--body"))));
            }
            int depth = (int) number("--pipeline");
            List<Call> calls = Collections.nCopies(depth, call);
            Duration think = seconds("--think");
            Step step = depth > 1 ? Step.pipelined(think, calls) : Step.inTurn(think, calls);
            return new Repeat(call.method() + " " + call.target(), step, callCount());
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw Failure.failed("cannot read --body " + e.getMessage());
        }
    }

    private long callCount() {
        if (arguments.has("--calls")) {
            return (long) number("--calls");
        }
        return arguments.has("--rate") ? 1 : 0;
    }

    private double number(String option) {
        try {
            return Double.parseDouble(arguments.value(option));
        } catch (NumberFormatException e) {
            throw arguments.usageError(
                    option + " must be a number, was " + arguments.value(option));
        }
    }

    private Duration seconds(String option) {
        double seconds = number(option);
        if (!(seconds >= 0 && seconds <= 1e9)) {
            throw arguments.usageError(option + " must be seconds, was " + arguments.value(option));
        }
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }
}
