package dev.tandem.spring;

import dev.tandem.tomcat.FrameworkRoutes;
import java.io.IOException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
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
            ObjectProvider<FrameworkRoutes> routes,
            ObjectProvider<FleetLifecycle> fleet) {
        return new TandemConnector(properties, environment, routes, fleet);
    }

    /// @throws IOException if the agent's address is not available, or the secret cannot be read
    @Bean
    @Conditional(InFleet.class)
    FleetLifecycle tandemFleet(
            TandemProperties properties,
            TandemServer server,
            ConfigurableApplicationContext context)
            throws IOException {
        return new FleetLifecycle(properties.fleet().options(), server, context);
    }

    @Bean
    @ConditionalOnProperty("tandem.training-paths")
    Training tandemTraining(TandemProperties properties, ConfigurableApplicationContext context) {
        return new Training(properties.trainingPaths(), context);
    }

    /// Whether a property says that the application is in a fleet.
    static final class InFleet extends AnyNestedCondition {
        InFleet() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("tandem.fleet.agent")
        static final class ByAgent {}

        @ConditionalOnBooleanProperty("tandem.fleet.load-reports")
        static final class ByReports {}

        @ConditionalOnProperty("tandem.fleet.secret")
        static final class BySecret {}
    }

    @Bean
    TandemServer tandemServer() {
        return new TandemServer();
    }
}
