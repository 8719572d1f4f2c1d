package dev.tandem.spring.sockets;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import org.apache.tomcat.websocket.server.WsContextListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/// An application with an endpoint for WebSockets.
@SpringBootApplication
public class Sockets {
    /// Says nothing.
    public static final class Silent extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            // It waits for its end.
        }
    }

    /// Adds the endpoint.
    public static final class Deploying implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            var container =
                    (ServerContainer)
                            event.getServletContext().getAttribute(ServerContainer.class.getName());
            try {
                container.addEndpoint(
                        ServerEndpointConfig.Builder.create(Silent.class, "/ws").build());
            } catch (DeploymentException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> withEndpoint() {
        return factory ->
                factory.addContextCustomizers(
                        context -> {
                            context.addApplicationListener(WsContextListener.class.getName());
                            context.addApplicationListener(Deploying.class.getName());
                        });
    }
}
