package dev.tandem.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/// Reads a file of JDK Flight Recorder: one that `tandem trace` made, or any other of a process
/// with a Tandem server in it, which contains less.
public final class TraceReader {
    private static final String PARK = "jdk.ThreadPark";
    private static final String SEEN = "dev.tandem.ThreadSeen";
    private static final String TIME = "dev.tandem.ThreadTime";

    /// Where workers, and threads of loops, wait when they are idle.
    private static final List<String> RESTS =
            List.of("dev.tandem.engine.WorkerPool", "dev.tandem.net.LoopThreads");

    /// Where handlers wait for their clients.
    private static final String CLIENT = "dev.tandem.net.Connection";

    private final Map<Long, ThreadFacts> byThread = new HashMap<>();
    private final Map<Long, ThreadFacts> byOsThread = new HashMap<>();
    private final List<RecordedEvent> times = new ArrayList<>();

    /// Number of responses between the two samples of the server's count.
    private long responses;

    private @Nullable Instant begin;
    private @Nullable Instant end;

    private TraceReader() {}

    /// @throws IOException if the file cannot be read, or is not one of Flight Recorder
    public static Trace read(Path file) throws IOException {
        var reader = new TraceReader();
        reader.findEnds(file);
        try (var events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                reader.take(events.readEvent());
            }
        }
        return reader.trace();
    }

    /// Sets the trace from the first to the last sample of the threads, if there were any; else
    /// from all events. The last sample is missing if the process ended before the recording did.
    private void findEnds(Path file) throws IOException {
        boolean hasLooks = false;
        boolean hasLast = false;
        Instant last = Instant.MIN;
        try (var events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                boolean isLook = event.getEventType().getName().equals(SEEN);
                if (isLook && !hasLooks) {
                    hasLooks = true;
                    begin = null;
                    end = null;
                }
                hasLast |= isLook && event.getBoolean("isLast");
                if (event.getThread() != null && event.getEndTime().isAfter(last)) {
                    last = event.getEndTime();
                }
                if (isLook || !hasLooks && event.getThread() != null) {
                    widen(event);
                }
            }
        }
        if (hasLooks && !hasLast) {
            end = last;
        }
    }

    private void widen(RecordedEvent event) {
        if (begin == null || event.getStartTime().isBefore(begin)) {
            begin = event.getStartTime();
        }
        if (end == null || event.getEndTime().isAfter(end)) {
            end = event.getEndTime();
        }
    }

    private void take(RecordedEvent event) {
        switch (event.getEventType().getName()) {
            case PARK -> wait(event, parked(event));
            case "jdk.JavaMonitorEnter", "jdk.JavaMonitorWait", "jdk.ThreadSleep" ->
                    wait(event, State.BLOCKED_SYNCH);
            case "jdk.SocketRead", "jdk.SocketWrite", "jdk.FileRead", "jdk.FileWrite" ->
                    wait(event, State.BLOCKED_IO);
            case "dev.tandem.LoopWait" -> wait(event, State.IDLE);
            case "dev.tandem.Request" -> request(event);
            case SEEN -> seen(event);
            case TIME -> times.add(event); // a later event may name its thread
            case "dev.tandem.Responses" ->
                    responses += event.getLong("count") * (event.getBoolean("isLast") ? 1 : -1);
            case "jdk.ThreadStart" -> {
                ThreadFacts facts = of(event.getThread("thread"));
                if (facts != null) {
                    facts.started = at(event.getStartTime());
                }
            }
            case "jdk.ThreadEnd" -> {
                ThreadFacts facts = of(event.getThread("thread"));
                if (facts != null) {
                    facts.ended = at(event.getStartTime());
                }
            }
            default -> {
                // Not used here.
            }
        }
    }

    private static State parked(RecordedEvent event) {
        RecordedClass parked = event.getClass("parkedClass");
        String name = parked == null ? "" : parked.getName();
        if (RESTS.contains(name)) {
            return State.IDLE;
        }
        return name.equals(CLIENT) ? State.BLOCKED_IO : State.BLOCKED_SYNCH;
    }

    private void wait(RecordedEvent event, State state) {
        ThreadFacts facts = of(event.getThread());
        if (facts != null) {
            long from = at(event.getStartTime());
            facts.waits.add(new Trace.Stretch(from, at(event.getEndTime()), state));
        }
    }

    private void request(RecordedEvent event) {
        ThreadFacts facts = of(event.getThread());
        if (facts != null) {
            long from = at(event.getStartTime());
            long to = at(event.getEndTime());
            boolean hasResponse = event.hasField("timeToResponse");
            long responded = hasResponse ? from + nanos(event, "timeToResponse") : to;
            String route = event.getString("method") + " " + event.getString("route");
            facts.requests.put(
                    from,
                    new Trace.Request(
                            from,
                            Math.clamp(responded, from, to),
                            to,
                            hasResponse ? nanos(event, "waited") : 0,
                            route,
                            event.hasField("protocol") ? event.getString("protocol") : "",
                            event.hasField("stream") ? event.getInt("stream") : 0,
                            event.getInt("status")));
        }
    }

    private static long nanos(RecordedEvent event, String field) {
        return Math.max(0, event.getDuration(field).toNanos());
    }

    private void seen(RecordedEvent event) {
        ThreadFacts facts = of(event.getThread("thread"));
        if (facts == null) {
            return;
        }
        State state = State.valueOf(event.getString("state"));
        if (event.getBoolean("isLast")) {
            facts.last = state;
        } else {
            facts.first = state;
        }
    }

    /// Returns null for a thread that runs no requests.
    private @Nullable ThreadFacts of(@Nullable RecordedThread thread) {
        String name = thread == null ? null : thread.getJavaName();
        if (thread == null || name == null || !ThreadFacts.isOfServer(name)) {
            return null;
        }
        ThreadFacts facts =
                byThread.computeIfAbsent(thread.getJavaThreadId(), _ -> new ThreadFacts(name));
        byOsThread.put(thread.getOSThreadId(), facts);
        return facts;
    }

    private long at(Instant time) {
        return begin == null ? 0 : Duration.between(begin, time).toNanos();
    }

    private Trace trace() {
        for (RecordedEvent time : times) {
            ThreadFacts facts = byOsThread.get(time.getLong("osThread"));
            if (facts != null) {
                long running = nanos(time, "running");
                long at = at(time.getStartTime());
                facts.cpuSamples.add(new ThreadFacts.CpuSample(at, running, nanos(time, "ready")));
            }
        }
        long nanos = end == null ? 0 : at(end);
        List<Trace.Thread> threads =
                byThread.values().stream()
                        .sorted(
                                Comparator.comparing((ThreadFacts f) -> kind(f.name))
                                        .thenComparingInt(f -> number(f.name)))
                        .map(facts -> thread(facts, nanos))
                        .filter(thread -> !thread.stretches().isEmpty())
                        .toList();
        long requests = threads.stream().mapToLong(thread -> thread.requests().size()).sum();
        return new Trace(
                begin == null ? Instant.EPOCH : begin,
                nanos,
                threads,
                Math.max(0, responses - requests));
    }

    private static Trace.Thread thread(ThreadFacts facts, long nanos) {
        facts.cpuSamples.sort(Comparator.comparingLong(ThreadFacts.CpuSample::at));
        List<Trace.Request> requests =
                facts.requests.values().stream()
                        .filter(request -> request.to() > 0 && request.from() < nanos)
                        .toList();
        return new Trace.Thread(facts.name, Timeline.of(facts, nanos), requests);
    }

    private static String kind(String name) {
        return name.substring(0, name.lastIndexOf('-'));
    }

    private static int number(String name) {
        try {
            return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
        } catch (NumberFormatException e) {
            return Integer.MAX_VALUE;
        }
    }
}
