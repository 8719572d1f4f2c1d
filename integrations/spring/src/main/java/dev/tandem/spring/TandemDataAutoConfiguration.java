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

/// Data sources that tell admission who uses them: nothing is to be set.
@AutoConfiguration(after = TandemAutoConfiguration.class)
@ConditionalOnClass({DataSource.class, DataSourcePoolMetadataProvider.class})
@ConditionalOnBean(TandemConnector.class)
@ConditionalOnBooleanProperty(name = "tandem.data.enabled", matchIfMissing = true)
public final class TandemDataAutoConfiguration {

    /// Static, so that it is there before any other bean.
    @Bean
    static StagedPools tandemPools(
            ObjectProvider<DataSourcePoolMetadataProvider> sizes, Environment environment) {
        return new StagedPools(sizes, environment);
    }
}
