package dev.tandem.spring;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.apache.catalina.connector.Connector;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;

/// A training run for the JVM's AOT cache (JEP 514): when the application has started, it gets
/// requests under load, so that the JVM records the profiles of its methods (JEP 515), and exits.
/// The exit status is 1 if a path was never served.
final class Training implements ApplicationListener<ApplicationReadyEvent> {
    private static final System.Logger LOG = System.getLogger("dev.tandem.spring");

    /// Enough for the optimizing compiler, which the profiles are for.
    private static final int REQUESTS = 20_000;

    private final List<String> paths;
    private final ConfigurableApplicationContext context;

    Training(List<String> paths, ConfigurableApplicationContext context) {
        this.paths = paths;
        this.context = context;
    }

    /// The event belongs to the thread that started the application, which must end.
    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        if (event.getApplicationContext() == context) {
            Thread.ofPlatform().name("tandem-training").start(this::trainAndExit);
        }
    }

    private void trainAndExit() {
        int status = train() ? 0 : 1;
        System.exit(SpringApplication.exit(context, () -> status));
    }

    private boolean train() {
        URI origin = origin();
        try {
            TrainingLoad.Result result = TrainingLoad.run(origin, paths, REQUESTS);
            LOG.log(
                    result.failed().isEmpty() ? Level.INFO : Level.ERROR,
                    "training: {0} requests in {1} s{2}",
                    result.requests(),
                    result.seconds(),
                    result.failed().isEmpty() ? "" : "; never served: " + result.failed());
            return result.failed().isEmpty();
        } catch (IOException e) {
            LOG.log(Level.ERROR, "training: no response from " + origin, e);
            return false;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private URI origin() {
        var web = (ServletWebServerApplicationContext) context;
        Connector connector =
                ((TomcatWebServer) Objects.requireNonNull(web.getWebServer()))
                        .getTomcat()
                        .getConnector();
        String scheme = connector.getScheme();
        return URI.create(scheme + "://localhost:" + connector.getLocalPort());
    }
}
