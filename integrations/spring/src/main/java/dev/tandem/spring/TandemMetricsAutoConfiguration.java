package dev.tandem.spring;

import dev.tandem.observe.TandemMeters;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.context.annotation.Bean;

/// Binds the server's meters to the application's registries.
@AutoConfiguration(
        after = {TandemAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class})
@ConditionalOnClass({
    MeterRegistry.class,
    TandemMeters.class,
    CompositeMeterRegistryAutoConfiguration.class
})
@ConditionalOnBean({TandemServer.class, MeterRegistry.class})
public final class TandemMetricsAutoConfiguration {

    @Bean
    ServerMeters tandemMeters(MeterRegistry registry, TandemServer server) {
        return new ServerMeters(registry, server);
    }
}
