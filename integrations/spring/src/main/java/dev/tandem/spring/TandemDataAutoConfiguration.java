package dev.tandem.spring;

import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/// Configures data sources that report their use to admission.
@AutoConfiguration(after = TandemAutoConfiguration.class)
@ConditionalOnClass({DataSource.class, DataSourcePoolMetadataProvider.class})
@ConditionalOnBean(TandemConnector.class)
@ConditionalOnBooleanProperty(name = "tandem.data.enabled", matchIfMissing = true)
public final class TandemDataAutoConfiguration {

    /// Static, so that it is created before any other bean.
    @Bean
    static StagedPools tandemPools(
            ObjectProvider<DataSourcePoolMetadataProvider> sizes, Environment environment) {
        return new StagedPools(sizes, environment);
    }

    /// Pools of a fleet's database. Static, as above.
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "com.zaxxer.hikari.HikariDataSource")
    @ConditionalOnProperty("tandem.data.fleet-connections")
    static final class OfFleet {

        @Bean
        static FleetPools tandemFleetPools(Environment environment) {
            return new FleetPools(environment);
        }
    }
}
