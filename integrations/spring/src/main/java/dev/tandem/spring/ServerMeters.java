package dev.tandem.spring;

import dev.tandem.observe.TandemMeters;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationListener;

/// Binds the server's meters once there is a server, and keeps a reference: registries do not.
final class ServerMeters implements ApplicationListener<ApplicationStartedEvent> {
    private final MeterRegistry registry;
    private final TandemServer tandem;
    private @Nullable TandemMeters meters;

    ServerMeters(MeterRegistry registry, TandemServer tandem) {
        this.registry = registry;
        this.tandem = tandem;
    }

    @Override
    public synchronized void onApplicationEvent(ApplicationStartedEvent event) {
        if (tandem.server() != null && meters == null) {
            meters = new TandemMeters(tandem::server); // a context may be stopped and started
            meters.bindTo(registry);
        }
    }
}
