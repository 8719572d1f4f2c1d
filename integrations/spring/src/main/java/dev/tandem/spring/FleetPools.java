package dev.tandem.spring;

import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.fleet.DatabaseBudget;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.env.Environment;

/// Divides a database's connections between the instances of a fleet: each HikariCP pool has this
/// instance's share as its maximum, one connection at first. Safe for use by any thread.
final class FleetPools implements BeanPostProcessor, DisposableBean {
    private final List<HikariDataSource> pools = new CopyOnWriteArrayList<>();
    private final Environment environment;
    private @Nullable DatabaseBudget budget;

    /// @param environment read for the budget: no properties are bound when this is created
    FleetPools(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof HikariDataSource pool) {
            resize(pool, budget().share());
            pools.add(pool);
        }
        return bean;
    }

    private synchronized DatabaseBudget budget() {
        DatabaseBudget known = budget;
        if (known == null) {
            int connections =
                    environment.getRequiredProperty("tandem.data.fleet-connections", Integer.class);
            String instances = environment.getRequiredProperty("tandem.data.fleet-name");
            known =
                    DatabaseBudget.open(
                            connections,
                            DatabaseBudget.byName(instances),
                            share -> pools.forEach(pool -> resize(pool, share)));
            budget = known;
        }
        return known;
    }

    private static void resize(HikariDataSource pool, int share) {
        int before = pool.getMaximumPoolSize();
        if (pool.getMinimumIdle() > share) {
            pool.setMinimumIdle(share);
        }
        pool.setMaximumPoolSize(share);
        if (pool.isRunning() && share < before) {
            pool.getHikariPoolMXBean().softEvictConnections();
        }
    }

    @Override
    public synchronized void destroy() {
        if (budget != null) {
            budget.close();
        }
    }
}
