package dev.tandem.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/// Records once a second what the balancer makes of each instance, next to what the instance says
/// of itself: without both, a share that is not as it should be has no cause. One daemon thread of
/// its own; everything else is safe for use by the experiment's.
final class FleetWatch implements AutoCloseable {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final String REJECTED = "tandem_requests_rejected_total{reason=";

    /// Of each sample, in this order.
    static final List<String> COLUMNS =
            List.of(
                    "at",
                    "server",
                    "status",
                    "weight",
                    "maxconn",
                    "queued",
                    "sent",
                    "responses",
                    "responses5xx",
                    "utilization",
                    "workers",
                    "waiting",
                    "running",
                    "rejected",
                    "heldBack",
                    "warmth",
                    "speed",
                    "asked",
                    "processors");

    private final FleetProxy proxy;
    private final List<FleetInstance> instances;
    private final List<Sample> samples = new ArrayList<>();
    private final Thread thread = Thread.ofPlatform().daemon().name("watch").unstarted(this::run);
    private final FleetProxy.Way way;
    private volatile boolean isClosed;

    /// One instance in one second.
    ///
    /// @param at in milliseconds since 1970
    /// @param seen by the balancer: the columns of its statistics, by their names
    /// @param said by the instance: its metrics, by name with labels
    record Sample(
            long at,
            FleetProxy.Way way,
            String server,
            Map<String, String> seen,
            Map<String, Double> said) {

        double weight() {
            return number(seen.getOrDefault("weight", ""));
        }

        double utilization() {
            return said.getOrDefault("tandem_admission_utilization", Double.NaN);
        }

        private static double number(String text) {
            return text.matches("[0-9]+") ? Double.parseDouble(text) : Double.NaN;
        }

        /// Returns it by [#COLUMNS].
        List<Object> row() {
            var row = new ArrayList<Object>(List.of(at, server));
            row.add(seen.getOrDefault("status", ""));
            for (String column : List.of("weight", "slim", "qcur", "scur", "stot", "hrsp_5xx")) {
                row.add(number(seen.getOrDefault(column, "")));
            }
            for (String metric :
                    List.of(
                            "admission_utilization",
                            "workers_limit",
                            "admission_waiting",
                            "workers_running",
                            "admission_rejected_total",
                            "requests_rejected_total{reason=\"HELD_BACK\"}",
                            "fleet_warmth",
                            "fleet_speed",
                            "fleet_weight",
                            "admission_utilization_part{resource=\"processors\"}")) {
                row.add(said.getOrDefault("tandem_" + metric, Double.NaN));
            }
            return row;
        }
    }

    private FleetWatch(FleetProxy proxy, List<FleetInstance> instances, FleetProxy.Way way) {
        this.proxy = proxy;
        this.instances = instances;
        this.way = way;
    }

    static FleetWatch start(FleetSite site, FleetProxy.Way way) {
        var watch = new FleetWatch(site.proxy(), site.instances(), way);
        watch.thread.start();
        return watch;
    }

    private void run() {
        while (!isClosed) {
            long next = System.nanoTime() + INTERVAL_NANOS;
            sample();
            LockSupport.parkNanos(Math.max(1, next - System.nanoTime()));
        }
    }

    private void sample() {
        Map<String, Map<String, String>> seen = proxy.servers(way);
        long at = System.currentTimeMillis();
        for (FleetInstance each : instances) {
            var sample =
                    new Sample(
                            at,
                            way,
                            each.name(),
                            seen.getOrDefault(each.name(), Map.of()),
                            metrics(each.ports().manage()));
            synchronized (samples) {
                samples.add(sample);
            }
        }
    }

    /// Returns an instance's metrics; none if it does not respond.
    private static Map<String, Double> metrics(int port) {
        var all = new TreeMap<String, Double>();
        try (var caller = Caller.connect(port)) {
            String text = new String(caller.get("/metrics").body(), StandardCharsets.UTF_8);
            for (String line : text.split("\n", -1)) {
                int space = line.lastIndexOf(' ');
                if (line.startsWith("tandem_") && space > 0) {
                    all.put(line.substring(0, space), Double.parseDouble(line.substring(space)));
                }
            }
        } catch (IOException | NumberFormatException e) {
            // It is being started, or is down: the balancer's side is recorded all the same.
        }
        return all;
    }

    /// Returns whether an instance asks for its whole share.
    static boolean isWarm(FleetInstance instance) {
        return metrics(instance.ports().manage()).getOrDefault("tandem_fleet_warmth", 0.0) >= 1;
    }

    /// Returns how many requests were rejected for each reason by each instance, in words. What an
    /// instance rejected in the last second before it ended is not in it.
    String rejected() {
        var last = new TreeMap<String, Double>();
        var counts = new TreeMap<String, Double>();
        for (Sample sample : samples()) {
            sample.said()
                    .forEach(
                            (metric, value) -> {
                                String reason = reason(metric);
                                if (!reason.isEmpty()) {
                                    String name = sample.server() + " " + reason;
                                    double before = last.getOrDefault(name, value);
                                    // One that was started again counts from 0.
                                    double more = value < before ? value : value - before;
                                    last.put(name, value);
                                    counts.merge(name, more, Double::sum);
                                }
                            });
        }
        String text =
                counts.entrySet().stream()
                        .filter(each -> each.getValue() > 0)
                        .map(each -> Figures.show(each.getValue(), 0) + "x " + each.getKey())
                        .collect(Collectors.joining(", "));
        return text.isEmpty() ? "none" : text;
    }

    private static String reason(String metric) {
        return metric.startsWith(REJECTED) ? metric.replaceAll(".*\"(.*)\".*", "$1") : "";
    }

    List<Sample> samples() {
        synchronized (samples) {
            return List.copyOf(samples);
        }
    }

    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
