package dev.tandem.spring;

import dev.tandem.database.StagedDataSource;
import java.lang.reflect.Modifier;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ClassUtils;

/// Wraps every connection pool of the application by a [StagedDataSource]. A pool's bean keeps its
/// class, so that code that injects a `HikariDataSource` gets one. Data sources that are not pools,
/// or wrap one that is a bean itself, are left as they are. Safe for use by any thread.
final class StagedPools implements BeanPostProcessor, DisposableBean {
    /// Applications with another pool need not have Hikari.
    private static final boolean HAS_HIKARI =
            ClassUtils.isPresent(
                    "com.zaxxer.hikari.HikariDataSource", StagedPools.class.getClassLoader());

    private final ObjectProvider<DataSourcePoolMetadataProvider> sizes;
    private final Environment environment;
    private final List<StagedDataSource> all = new CopyOnWriteArrayList<>();

    /// @param environment read for the deadline: no properties are bound when this is created
    StagedPools(ObjectProvider<DataSourcePoolMetadataProvider> sizes, Environment environment) {
        this.sizes = sizes;
        this.environment = environment;
    }

    List<StagedDataSource> all() {
        return all;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (!(bean instanceof DataSource source)) {
            return bean;
        }
        StagedDataSource staged = wrap(source, name);
        if (staged == null) {
            return bean;
        }
        all.add(staged);
        return proxy(source, staged);
    }

    private @Nullable StagedDataSource wrap(DataSource source, String name) {
        if (isIndirect(source)) {
            return null;
        }
        try {
            StagedDataSource wrapped =
                    HAS_HIKARI ? StagedDataSource.wrap(source, deadline()) : null;
            return wrapped == null ? wrapSized(source, name) : wrapped;
        } catch (SQLException e) {
            throw new BeanCreationException(name, "cannot be inspected", e);
        }
    }

    /// Returns whether it wraps one that is wrapped already, or cannot say yet: it routes to
    /// several, or belongs to a scope that has not begun.
    private static boolean isIndirect(DataSource source) {
        if (source instanceof AbstractRoutingDataSource) {
            return true; // its current target is one of several, whose size is not that of all
        }
        try {
            return source.isWrapperFor(StagedDataSource.class);
        } catch (SQLException | RuntimeException e) {
            return true;
        }
    }

    private @Nullable StagedDataSource wrapSized(DataSource source, String name) {
        return sizes.orderedStream()
                .map(provider -> provider.getDataSourcePoolMetadata(source))
                .filter(pool -> pool != null && pool.getMax() != null)
                .findFirst()
                .map(pool -> StagedDataSource.over(source, name, () -> size(pool), deadline()))
                .orElse(null);
    }

    private static int size(DataSourcePoolMetadata pool) {
        Integer most = pool.getMax();
        return most == null || most <= 0 ? Integer.MAX_VALUE : most;
    }

    private Duration deadline() {
        var bound = Binder.get(environment).bind("tandem.data.deadline", Duration.class);
        return Objects.requireNonNullElse(bound.orElse(null), StagedDataSource.DEADLINE);
    }

    private static Object proxy(DataSource source, StagedDataSource staged) {
        var proxy = new ProxyFactory(source);
        proxy.setProxyTargetClass(!Modifier.isFinal(source.getClass().getModifiers()));
        proxy.addAdvice((MethodInterceptor) call -> intercept(call, staged));
        return proxy.getProxy(source.getClass().getClassLoader());
    }

    private static @Nullable Object intercept(MethodInvocation call, StagedDataSource staged)
            throws Throwable {
        @Nullable Object[] arguments = call.getArguments();
        return switch (call.getMethod().getName()) {
            case "getConnection" ->
                    arguments.length == 0
                            ? staged.getConnection()
                            : staged.getConnection(text(arguments[0]), text(arguments[1]));
            case "unwrap" -> staged.unwrap(type(arguments[0]));
            case "isWrapperFor" -> staged.isWrapperFor(type(arguments[0]));
            default -> call.proceed();
        };
    }

    private static String text(@Nullable Object argument) {
        return (String) Objects.requireNonNull(argument, "a user or password");
    }

    private static Class<?> type(@Nullable Object argument) {
        return (Class<?>) Objects.requireNonNull(argument, "a class");
    }

    /// Pools are closed by their owners.
    @Override
    public void destroy() {
        all.forEach(StagedDataSource::close);
    }
}
