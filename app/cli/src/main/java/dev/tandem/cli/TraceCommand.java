package dev.tandem.cli;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import dev.tandem.trace.PageWriter;
import dev.tandem.trace.ParaverWriter;
import dev.tandem.trace.PerfettoWriter;
import dev.tandem.trace.State;
import dev.tandem.trace.Trace;
import dev.tandem.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// `tandem trace`: records what each thread of a server does, and writes it for trace viewers.
///
/// @param terminal where a summary of the threads' time is printed
record TraceCommand(Terminal terminal) {
    private static final Option SECONDS = new Option("--seconds", "N", "5", "how long, 1 to 240");
    private static final Option OUT =
            new Option("--out", "DIR", "tandem-trace", "where the files go");

    private static final Option READ =
            new Option("--read", "FILE", "", "records nothing: reads Flight Recorder's FILE");

    /// 240 s: the server stops a recording by itself after 300 s.
    private static final int SECONDS_MAX = 240;

    /// 60 s for the server to start, or to write the recording.
    private static final int POLLS_MAX = 600;

    private static final String NAME = "trace";

    Command command() {
        return new Command(
                "trace",
                "",
                "records what each thread of a running server does",
                List.of(
                        "The server must have been started with --manage ADDR:PORT and",
                        "--manage-trace. Leaves in DIR: trace.html for a browser, trace.prv, .pcf",
                        "and .row for Paraver, trace.json for ui.perfetto.dev, trace.jfr."),
                List.of(ManagementClient.SERVER, ManagementClient.TOKEN, SECONDS, OUT, READ),
                this::run);
    }

    private void run(Arguments arguments) {
        if (arguments.has(READ)) {
            read(arguments);
        } else {
            record(arguments);
        }
    }

    private void record(Arguments arguments) {
        int seconds = arguments.number(SECONDS);
        if (seconds < 1 || seconds > SECONDS_MAX) {
            throw arguments.usageError(
                    "--seconds must be 1 to " + SECONDS_MAX + ", was " + seconds);
        }
        var server = ManagementClient.of(arguments);
        Path out = folder(arguments);
        server.post("/trace/begin");
        await(server, "recording");
        sleep(TimeUnit.SECONDS.toMillis(seconds));
        server.post("/trace/end");
        await(server, "ready");
        Path file = out.resolve(NAME + ".jfr");
        server.download("/trace/file", file);
        write(file, out);
    }

    private void await(ManagementClient server, String wanted) {
        String status = server.get("/trace");
        for (int i = 0; i < POLLS_MAX && !status.equals(wanted); i++) {
            if (status.startsWith("failed")) {
                throw Failure.failed("the server's recording " + status);
            }
            sleep(100);
            status = server.get("/trace");
        }
        if (!status.equals(wanted)) {
            throw Failure.failed("the server is still " + status + ", not " + wanted);
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed(
                    "interrupted; the server's recording continues until it is stopped");
        }
    }

    private void read(Arguments arguments) {
        Path file = Path.of(arguments.value(READ));
        if (!Files.isRegularFile(file)) {
            throw Failure.failed("no such file: " + file);
        }
        write(file, folder(arguments));
    }

    private static Path folder(Arguments arguments) {
        try {
            return Files.createDirectories(Path.of(arguments.value(OUT)));
        } catch (IOException | InvalidPathException e) {
            throw Failure.failed("cannot make the folder of --out: " + e.getMessage());
        }
    }

    private void write(Path file, Path out) {
        try {
            Trace trace = TraceReader.read(file);
            ParaverWriter.write(trace, out, NAME, ZoneId.systemDefault());
            PerfettoWriter.write(trace, out.resolve(NAME + ".json"));
            PageWriter.write(trace, out.resolve(NAME + ".html"));
            print(trace, out);
        } catch (IOException e) {
            throw Failure.failed("cannot read or write a trace: " + e.getMessage());
        }
    }

    private void print(Trace trace, Path out) {
        var text = new StringBuilder();
        long requests = trace.threads().stream().mapToLong(t -> t.requests().size()).sum();
        text.append(
                "%.1f s, %d threads, %d requests on them; see %s%n"
                        .formatted(
                                trace.nanos() / 1e9,
                                trace.threads().size(),
                                requests,
                                out.resolve(NAME + ".html")));
        trace.aboutLoop().ifPresent(sentence -> text.append(sentence).append('\n'));
        text.append(terminal.dim("share of time    ")).append(terminal.dim("loops  workers\n"));
        for (State state : State.values()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%-15s %5.1f %%  %5.1f %%%n",
                            state.label(),
                            100 * trace.share(state, true),
                            100 * trace.share(state, false)));
        }
        terminal.out().print(text);
        terminal.out().flush();
    }
}
