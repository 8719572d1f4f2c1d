package dev.tandem.trace;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Writes a trace for Paraver (tools.bsc.es/paraver): NAME.prv with one record per line, NAME.pcf
/// with the meanings of the numbers, NAME.row with the threads' names. The format follows Extrae's
/// writer and Paraver's kernel, which reads it.
public final class ParaverWriter {
    /// Event types of our own: value 0 ends what another value began.
    private static final int ROUTE = 60_000_001;

    private static final int STEP = 60_000_002;
    private static final int STATUS = 60_000_003;
    private static final int WAITED = 60_000_004;

    /// The steps of `dev.tandem.Step`, from 1 on.
    private static final List<String> STEPS =
            List.of("ACCEPT", "READ", "ADMIT", "HANDLE", "WRITE", "LOG");

    private static final int HANDLE = 1 + STEPS.indexOf("HANDLE");
    private static final int WRITE = 1 + STEPS.indexOf("WRITE");

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("dd/MM/yyyy 'at' HH:mm");

    private final Trace trace;
    private final List<String> routes;
    private final List<Line> lines = new ArrayList<>();

    /// @param order states before events of the same time
    private record Line(long at, int order, String text) {}

    private ParaverWriter(Trace trace) {
        this.trace = trace;
        this.routes =
                trace.threads().stream()
                        .flatMap(thread -> thread.requests().stream())
                        .map(Trace.Request::route)
                        .distinct()
                        .sorted()
                        .toList();
    }

    /// @param folder for the three files; existing ones are overwritten
    /// @param name of the files, without the extension
    /// @param zone of the date in the header
    /// @throws IOException if one cannot be written
    public static void write(Trace trace, Path folder, String name, ZoneId zone)
            throws IOException {
        var writer = new ParaverWriter(trace);
        try (Writer out = file(folder.resolve(name + ".prv"))) {
            writer.writeRecords(out, zone);
        }
        try (Writer out = file(folder.resolve(name + ".pcf"))) {
            writer.writeMeanings(out);
        }
        try (Writer out = file(folder.resolve(name + ".row"))) {
            writer.writeNames(out);
        }
    }

    private static Writer file(Path path) throws IOException {
        return Files.newBufferedWriter(path, StandardCharsets.UTF_8);
    }

    private void writeRecords(Writer out, ZoneId zone) throws IOException {
        int threads = Math.max(1, trace.threads().size());
        out.write(
                "#Paraver (%s):%d_ns:1(%d):1:1(%d:1)\n"
                        .formatted(
                                DATE.format(trace.begin().atZone(zone)),
                                trace.nanos(),
                                Runtime.getRuntime().availableProcessors(),
                                threads));
        for (int i = 0; i < trace.threads().size(); i++) {
            addStates(i + 1, trace.threads().get(i));
            for (Trace.Request request : trace.threads().get(i).requests()) {
                addRequest(i + 1, request);
            }
        }
        lines.sort(Comparator.comparingLong(Line::at).thenComparingInt(Line::order));
        for (Line line : lines) {
            out.write(line.text + "\n");
        }
    }

    private void addStates(int thread, Trace.Thread of) {
        for (Trace.Stretch s : of.stretches()) {
            String record =
                    "1:0:1:1:%d:%d:%d:%d".formatted(thread, s.from(), s.to(), s.state().paraver());
            lines.add(new Line(s.from(), 0, record));
        }
    }

    private void addRequest(int thread, Trace.Request request) {
        long from = Math.max(0, request.from());
        long responded = Math.clamp(request.responded(), from, trace.nanos());
        long to = Math.min(trace.nanos(), request.to());
        int route = 1 + routes.indexOf(request.route());
        addEvent(thread, from, 1, ROUTE, route, STEP, HANDLE, WAITED, request.waited());
        addEvent(thread, responded, 2, STEP, WRITE, STATUS, request.status());
        addEvent(thread, to, 3, ROUTE, 0, STEP, 0, STATUS, 0, WAITED, 0);
    }

    private void addEvent(int thread, long at, int order, long... typesAndValues) {
        var text = new StringBuilder("2:0:1:1:").append(thread).append(':').append(at);
        for (long part : typesAndValues) {
            text.append(':').append(part);
        }
        lines.add(new Line(at, order, text.toString()));
    }

    private void writeMeanings(Writer out) throws IOException {
        out.write(
                """
                DEFAULT_OPTIONS

                LEVEL               THREAD
                UNITS               NANOSEC
                LOOK_BACK           100
                SPEED               1
                FLAG_ICONS          ENABLED
                NUM_OF_STATE_COLORS 1000
                YMAX_SCALE          37


                DEFAULT_SEMANTIC

                THREAD_FUNC         State As Is


                STATES
                """);
        for (State state : State.values()) {
            out.write("%d    %s\n".formatted(state.paraver(), state.label()));
        }
        out.write("\n\nSTATES_COLOR\n");
        for (State state : State.values()) {
            out.write("%d    {%s}\n".formatted(state.paraver(), state.colour()));
        }
        writeType(out, ROUTE, "Route", routes);
        writeType(out, STEP, "Step", STEPS);
        writeType(out, STATUS, "Status", List.of());
        writeType(out, WAITED, "Waited in a queue (ns)", List.of());
    }

    private static void writeType(Writer out, int type, String label, List<String> values)
            throws IOException {
        out.write("\n\nEVENT_TYPE\n0    %d    %s\n".formatted(type, label));
        if (values.isEmpty()) {
            return;
        }
        out.write("VALUES\n0      End\n");
        for (int i = 0; i < values.size(); i++) {
            out.write("%d      %s\n".formatted(i + 1, plain(values.get(i))));
        }
    }

    private void writeNames(Writer out) throws IOException {
        int processors = Runtime.getRuntime().availableProcessors();
        out.write("LEVEL CPU SIZE " + processors + "\n");
        for (int i = 1; i <= processors; i++) {
            out.write(i + ".tandem\n");
        }
        out.write("\nLEVEL NODE SIZE 1\ntandem\n");
        out.write("\nLEVEL THREAD SIZE " + trace.threads().size() + "\n");
        for (Trace.Thread thread : trace.threads()) {
            out.write(plain(thread.name()) + "\n");
        }
    }

    /// Returns the text on one line, whatever characters a route has.
    private static String plain(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
