package dev.tandem.spring.plain;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The bean of the documentation that has old forms of HTTP rejected.
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("example.strict")
class StrictHeads {
    @Bean
    WebServerFactoryCustomizer<TomcatWebServerFactory> strict() {
        return factory ->
                factory.addConnectorCustomizers(c -> c.setProperty("lenientHeads", "false"));
    }
}
