package dev.tandem.spring;

import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.annotation.Bean;
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
}
