package dev.tandem.trace;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// Writes a trace for Perfetto (ui.perfetto.dev) and chrome://tracing: JSON in the Trace Event
/// Format, with the threads' states as one process and the requests on them as another.
public final class PerfettoWriter {
    private static final int STATES = 1;
    private static final int REQUESTS = 2;

    private final Writer out;
    private String before = "";

    private PerfettoWriter(Writer out) {
        this.out = out;
    }

    /// @throws IOException if the file cannot be written
    public static void write(Trace trace, Path file) throws IOException {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
            new PerfettoWriter(out).write(trace);
            out.write("\n]}\n");
        }
    }

    private void write(Trace trace) throws IOException {
        name("process_name", STATES, 0, "states");
        name("process_name", REQUESTS, 0, "requests");
        List<Trace.Thread> threads = trace.threads();
        for (int i = 0; i < threads.size(); i++) {
            Trace.Thread thread = threads.get(i);
            name("thread_name", STATES, i + 1, thread.name());
            name("thread_name", REQUESTS, i + 1, thread.name());
            for (Trace.Stretch s : thread.stretches()) {
                slice(track(STATES, i + 1), s.from(), s.to(), s.state().label());
            }
            for (Trace.Request request : thread.requests()) {
                write(track(REQUESTS, i + 1), request);
            }
        }
    }

    private void write(String track, Trace.Request request) throws IOException {
        String arguments =
                ",\"args\":{\"protocol\":\"%s\",\"stream\":%d,\"status\":%d,\"waited_us\":%s}"
                        .formatted(
                                request.protocol(),
                                request.streamId(),
                                request.status(),
                                micros(request.waited()));
        slice(track, request.from(), request.to(), request.route(), arguments);
        slice(track, request.from(), request.responded(), "HANDLE");
        slice(track, request.responded(), request.to(), "WRITE");
    }

    private void name(String what, int process, int thread, String name) throws IOException {
        event(
                "\"ph\":\"M\",\"name\":\"%s\",%s,\"args\":{\"name\":%s}"
                        .formatted(what, track(process, thread), quoted(name)));
    }

    /// @param track process and thread, as the format names them
    private void slice(String track, long from, long to, String name) throws IOException {
        slice(track, from, to, name, "");
    }

    private void slice(String track, long from, long to, String name, String arguments)
            throws IOException {
        event(
                "\"ph\":\"X\",%s,\"ts\":%s,\"dur\":%s,\"name\":%s%s"
                        .formatted(
                                track, micros(from), micros(to - from), quoted(name), arguments));
    }

    private static String track(int process, int thread) {
        return "\"pid\":%d,\"tid\":%d".formatted(process, thread);
    }

    private void event(String fields) throws IOException {
        out.write(before + "\n{" + fields + "}");
        before = ",";
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / 1e3);
    }

    /// RFC 8259, in ASCII.
    private static String quoted(String text) {
        var json = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7f) {
                json.append(c);
            } else {
                json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            }
        }
        return json.append('"').toString();
    }
}
