package dev.tandem.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/// Configures the server's part of Actuator's health: `tandem`.
@AutoConfiguration(after = TandemAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(TandemServer.class)
@ConditionalOnEnabledHealthIndicator("tandem")
public final class TandemHealthAutoConfiguration {

    @Bean
    ServerHealth tandemHealthIndicator(TandemServer server) {
        return new ServerHealth(server);
    }
}
