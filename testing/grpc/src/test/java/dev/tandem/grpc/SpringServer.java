package dev.tandem.grpc;

import io.grpc.ServerBuilder;
import io.grpc.servlet.jakarta.ServletServerBuilder;
import java.util.Objects;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// A Spring Boot application with a servlet for gRPC.
final class SpringServer implements InteropServer {
    private final ServletWebServerApplicationContext context;

    /// @param isTandem whether it has Tandem's connector, else Tomcat's own
    /// @param port 0 for a free one
    SpringServer(boolean isTandem, int port) {
        context =
                (ServletWebServerApplicationContext)
                        SpringApplication.run(
                                Application.class,
                                "--tandem.enabled=" + isTandem,
                                "--server.http2.enabled=true",
                                "--server.address=127.0.0.1",
                                "--server.port=" + port,
                                "--spring.main.banner-mode=off",
                                "--spring.jmx.enabled=false",
                                "--logging.level.root=off");
    }

    /// The application.
    @Configuration
    @EnableAutoConfiguration
    static class Application {
        @Bean
        SwitchingServlet grpcServlet() {
            return new SwitchingServlet();
        }

        @Bean
        ServletRegistrationBean<SwitchingServlet> grpc(SwitchingServlet servlet) {
            var registration =
                    new ServletRegistrationBean<>(
                            servlet,
                            "/grpc.testing.TestService/*",
                            "/grpc.testing.UnimplementedService/*");
            registration.setAsyncSupported(true);
            return registration;
        }
    }

    @Override
    public ServerBuilder<?> newBuilder() {
        return new ServletServerBuilder();
    }

    @Override
    public void use(ServerBuilder<?> services) {
        context.getBean(SwitchingServlet.class).use((ServletServerBuilder) services);
    }

    @Override
    public int port() {
        return Objects.requireNonNull(context.getWebServer()).getPort();
    }

    @Override
    public void close() {
        context.close();
    }
}
