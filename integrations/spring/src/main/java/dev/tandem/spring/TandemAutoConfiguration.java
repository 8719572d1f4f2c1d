package dev.tandem.spring;

import dev.tandem.tomcat.FrameworkRoutes;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/// Configures the connector: adding the dependency is enough.
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnClass(TomcatWebServerFactory.class)
@ConditionalOnBooleanProperty(name = "tandem.enabled", matchIfMissing = true)
@EnableConfigurationProperties(TandemProperties.class)
public final class TandemAutoConfiguration {

    @Bean
    TandemConnector tandemConnector(
            TandemProperties properties,
            Environment environment,
            ObjectProvider<FrameworkRoutes> routes) {
        return new TandemConnector(properties, environment, routes);
    }

    @Bean
    TandemServer tandemServer() {
        return new TandemServer();
    }
}
