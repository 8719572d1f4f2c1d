package dev.tandem.spring;

import dev.tandem.Server;
import dev.tandem.fleet.Fleet;
import dev.tandem.fleet.FleetOptions;
import java.io.IOException;
import java.lang.System.Logger.Level;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/// The application's part in a fleet: it joins when the server has started, and leaves before it is
/// stopped. Spring Boot has refused traffic (`readiness`) by then. Safe for use by any thread.
final class FleetLifecycle implements SmartLifecycle, DisposableBean {
    private static final System.Logger LOG = System.getLogger("dev.tandem.spring");

    /// It starts after, and is stopped before, Spring Boot's web server and its graceful end
    /// (`WebServerGracefulShutdownLifecycle`, 1,024 below the default).
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

    private final Fleet fleet;
    private final TandemServer tandem;
    private final ConfigurableApplicationContext context;
    private volatile boolean isRunning;

    /// Opens the agent's port: balancers are informed that the application starts.
    FleetLifecycle(
            FleetOptions options, TandemServer tandem, ConfigurableApplicationContext context)
            throws IOException {
        this.fleet = Fleet.open(options);
        this.tandem = tandem;
        this.context = context;
    }

    Fleet fleet() {
        return fleet;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    public void start() {
        Server server = tandem.server();
        if (server == null) {
            LOG.log(Level.WARNING, "in no fleet: the application has a connector of its own");
            return;
        }
        isRunning = true;
        fleet.join(server);
        server.onDrain(this::close);
    }

    /// Closes the application, as SIGTERM does: `tandem drain` asks for it.
    private void close() {
        Thread.ofPlatform().name("tandem-drain").start(context::close);
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }

    @Override
    public void stop() {
        fleet.leave();
        isRunning = false;
    }

    /// Spring waits for it, `spring.lifecycle.timeout-per-shutdown-phase` at most.
    @Override
    public void stop(Runnable callback) {
        Thread.ofPlatform()
                .name("tandem-leave")
                .start(
                        () -> {
                            stop();
                            callback.run();
                        });
    }

    @Override
    public void destroy() {
        fleet.close();
    }
}
