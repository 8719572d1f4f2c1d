package dev.tandem.observe;

import dev.tandem.Metric;
import dev.tandem.Server;
import io.micrometer.core.instrument.FunctionCounter;
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
/// Names are those of `/metrics` with dots for underscores, and without `_total`, which registries
/// append if they want it. Histograms are reduced to their counts and sums, as counters `….count`
/// and `….sum`. The server is read at most once a second, when a meter is read; a new route gets
/// its meters at the next reading. Safe for use by any thread.
public final class TandemMeters implements MeterBinder {
    private static final long CACHE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Supplier<@Nullable Server> server;
    private final LongSupplier clock;

    /// The last values read, by name and tags.
    private final Map<Series, Double> values = new ConcurrentHashMap<>();

    private boolean isRead;
    private long readNanos;

    private record Series(String name, Tags tags) {}

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
            return;
        }
        for (Metric metric : running.metrics()) {
            for (Metric.Sample sample : metric.samples()) {
                if (!sample.suffix().equals("_bucket")) {
                    update(registry, metric, sample);
                }
            }
        }
    }

    private void update(MeterRegistry registry, Metric metric, Metric.Sample sample) {
        String name = metric.name() + sample.suffix();
        List<Tag> tags =
                sample.labels().entrySet().stream()
                        .map(label -> Tag.of(label.getKey(), label.getValue()))
                        .toList();
        var series = new Series(name.replaceFirst("_total$", "").replace('_', '.'), Tags.of(tags));
        if (values.put(series, sample.value()) == null) {
            register(registry, series, metric);
        }
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
