package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.database.StagedDataSource;
import java.lang.reflect.Proxy;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.ScopeNotActiveException;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/// Which data source beans are wrapped.
class StagedPoolsTest {
    private final StagedPools pools =
            new StagedPools(
                    new StaticListableBeanFactory()
                            .getBeanProvider(DataSourcePoolMetadataProvider.class),
                    new StandardEnvironment());

    @Test
    void poolIsWrappedAndKeepsItsClass() throws Exception {
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:h2:mem:pools");
            pool.setMaximumPoolSize(1);
            var wrapped =
                    assertInstanceOf(
                            HikariDataSource.class,
                            pools.postProcessAfterInitialization(pool, "dataSource"));
            assertTrue(wrapped.isWrapperFor(StagedDataSource.class));
            var lane = wrapped.unwrap(StagedDataSource.class).lane();
            try (var _ = wrapped.getConnection()) {
                assertEquals(1, lane.counts().granted());
            }
            assertEquals(0, lane.counts().granted());
            DataSource before = new LazyConnectionDataSourceProxy(wrapped);
            assertSame(before, pools.postProcessAfterInitialization(before, "lazy"));
            assertEquals(1, pools.all().size());
        } finally {
            pools.destroy();
        }
    }

    /// The size of its current target is not that of all targets.
    @Test
    void routingDataSourceIsNotWrapped() {
        try (var one = new HikariDataSource();
                var other = new HikariDataSource()) {
            var routing =
                    new AbstractRoutingDataSource() {
                        @Override
                        protected @Nullable Object determineCurrentLookupKey() {
                            return null;
                        }
                    };
            routing.setTargetDataSources(Map.of("one", one, "other", other));
            routing.setDefaultTargetDataSource(one);
            routing.afterPropertiesSet();
            assertSame(routing, pools.postProcessAfterInitialization(routing, "routing"));
        }
    }

    @Test
    void dataSourceWithoutSizeIsNotWrapped() {
        DataSource bare = new JdbcDataSource();
        assertSame(bare, pools.postProcessAfterInitialization(bare, "bare"));
        DataSource routing =
                new AbstractRoutingDataSource() {
                    @Override
                    protected Object determineCurrentLookupKey() {
                        return "tenant";
                    }
                };
        assertSame(routing, pools.postProcessAfterInitialization(routing, "routing"));
        DataSource ofRequest =
                (DataSource)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {DataSource.class},
                                (_, _, _) -> {
                                    throw new ScopeNotActiveException(
                                            "ofRequest", "request", new IllegalStateException());
                                });
        assertSame(ofRequest, pools.postProcessAfterInitialization(ofRequest, "ofRequest"));
        Object other = new Object();
        assertSame(other, pools.postProcessAfterInitialization(other, "other"));
    }
}
