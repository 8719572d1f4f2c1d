package dev.tandem.observe;

import dev.tandem.Metric;
import dev.tandem.Server;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A server's metrics for Micrometer: `new TandemMeters(server).bindTo(registry)`.
///
/// Names are those of `/metrics` with dots for underscores, and without `_total` and `_seconds`,
/// which registries append if they want it: in Prometheus they are those of `/metrics` again, so
/// that a dashboard works with both. A histogram is a [FunctionTimer]: count and sum, without
/// buckets. The server is read at most once a second, when a meter is read; a new route gets its
/// meters at the next reading. Safe for use by any thread.
public final class TandemMeters implements MeterBinder {
    private static final long CACHE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Supplier<@Nullable Server> server;
    private final LongSupplier clock;

    /// The last values read, by name and tags.
    private final Map<Series, Double> values = new ConcurrentHashMap<>();

    /// Those of histograms.
    private final Map<Series, Time> times = new ConcurrentHashMap<>();

    private boolean hasSpringNames;
    private boolean isRead;
    private long readNanos;

    private record Series(String name, Tags tags) {}

    /// How often something happened, and how long it took in total.
    record Time(long count, double seconds) {
        static final Time NONE = new Time(0, 0);

        Time plus(Time other) {
            return new Time(count + other.count, seconds + other.seconds);
        }
    }

    public TandemMeters(Server server) {
        this(() -> server, System::nanoTime);
    }

    /// Reads a server that may be stopped and replaced by another.
    ///
    /// @param server the current one; null while there is none: then meters have no value
    public TandemMeters(Supplier<@Nullable Server> server) {
        this(server, System::nanoTime);
    }

    /// @param clock monotonic, in nanoseconds
    TandemMeters(Supplier<@Nullable Server> server, LongSupplier clock) {
        this.server = server;
        this.clock = clock;
    }

    /// Adds `http.server.requests` with Spring's tags `method`, `uri`, `status`, `outcome`,
    /// `exception` and `error`, for dashboards that are made for Spring. Not in applications that
    /// Spring instruments, where this timer exists.
    ///
    /// @return this
    public synchronized TandemMeters withSpringNames() {
        hasSpringNames = true;
        return this;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        read(registry);
    }

    /// Reads the server's metrics, unless they have just been read.
    private synchronized void read(MeterRegistry registry) {
        long now = clock.getAsLong();
        if (isRead && now - readNanos < CACHE_NANOS) {
            return;
        }
        isRead = true;
        readNanos = now;
        Server running = server.get();
        if (running == null) {
            values.clear();
            times.clear();
            return;
        }
        List<Metric> metrics = running.metrics();
        for (Metric metric : metrics) {
            if (metric.type() == Metric.Type.HISTOGRAM) {
                metric.samples().stream()
                        .filter(sample -> sample.suffix().equals("_count"))
                        .forEach(sample -> updateTimer(registry, metric, sample));
            } else {
                metric.samples().forEach(sample -> update(registry, metric, sample));
            }
        }
        if (hasSpringNames) {
            SpringNames.of(metrics).forEach((tags, time) -> updateRequests(registry, tags, time));
        }
    }

    private void update(MeterRegistry registry, Metric metric, Metric.Sample sample) {
        String name = metric.name().replaceFirst("_total$", "").replace('_', '.');
        var series = new Series(name, tags(sample));
        if (values.put(series, sample.value()) == null) {
            register(registry, series, metric);
        }
    }

    private static Tags tags(Metric.Sample sample) {
        return Tags.of(
                sample.labels().entrySet().stream()
                        .map(label -> Tag.of(label.getKey(), label.getValue()))
                        .toList());
    }

    /// @param count the histogram's sample of that suffix
    private void updateTimer(MeterRegistry registry, Metric metric, Metric.Sample count) {
        double seconds =
                metric.samples().stream()
                        .filter(s -> s.suffix().equals("_sum"))
                        .filter(s -> s.labels().equals(count.labels()))
                        .mapToDouble(Metric.Sample::value)
                        .sum();
        String name = metric.name().replaceFirst("_seconds$", "").replace('_', '.');
        var time = new Time((long) count.value(), seconds);
        updateTimer(registry, new Series(name, tags(count)), time, metric.help());
    }

    private void updateRequests(MeterRegistry registry, Tags tags, Time time) {
        updateTimer(registry, new Series(SpringNames.REQUESTS, tags), time, SpringNames.HELP);
    }

    private void updateTimer(MeterRegistry registry, Series series, Time time, String help) {
        if (times.put(series, time) == null) {
            FunctionTimer.builder(
                            series.name,
                            this,
                            _ -> time(registry, series).count,
                            _ -> time(registry, series).seconds,
                            TimeUnit.SECONDS)
                    .tags(series.tags)
                    .description(help)
                    .register(registry);
        }
    }

    private Time time(MeterRegistry registry, Series series) {
        read(registry);
        return times.getOrDefault(series, Time.NONE);
    }

    /// Registries hold objects weakly; what they hold strongly is the function.
    private void register(MeterRegistry registry, Series series, Metric metric) {
        if (metric.type() == Metric.Type.GAUGE) {
            Gauge.builder(series.name, this, _ -> value(registry, series))
                    .tags(series.tags)
                    .description(metric.help())
                    .register(registry);
        } else {
            FunctionCounter.builder(series.name, this, _ -> value(registry, series))
                    .tags(series.tags)
                    .description(metric.help())
                    .register(registry);
        }
    }

    private double value(MeterRegistry registry, Series series) {
        read(registry);
        return values.getOrDefault(series, Double.NaN);
    }
}
