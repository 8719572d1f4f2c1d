package dev.tandem.spring;

import dev.tandem.database.StagedDataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/// Configures what Spring MVC knows of controllers: their routes, and where their data ends and
/// their view begins.
@AutoConfiguration(after = {TandemAutoConfiguration.class, TandemDataAutoConfiguration.class})
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnBean(TandemConnector.class)
public final class TandemWebMvcAutoConfiguration {

    @Bean
    ControllerRoutes tandemRoutes(
            ObjectProvider<RequestMappingInfoHandlerMapping> mappings,
            TandemProperties properties,
            Environment environment) {
        return new ControllerRoutes(mappings, RoutePrefix.of(environment), properties.probes());
    }

    @Bean
    @ConditionalOnProperty("tandem.page-cache")
    static ConnectorFiles tandemConnectorFiles() {
        return new ConnectorFiles();
    }

    /// Used where pools are wrapped.
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(StagedDataSource.class)
    @ConditionalOnBean(StagedPools.class)
    @ConditionalOnBooleanProperty(name = "tandem.data.enabled", matchIfMissing = true)
    static class Views {

        @Bean
        ViewStageInterceptor tandemViewStages(TandemProperties properties) {
            return new ViewStageInterceptor(properties.data().viewConnection());
        }

        @Bean
        BodyStageAdvice tandemBodyStages() {
            return new BodyStageAdvice();
        }

        @Bean
        DatabaseUnavailableResolver tandemDatabaseGone(StagedPools pools) {
            return new DatabaseUnavailableResolver(pools);
        }
    }
}
