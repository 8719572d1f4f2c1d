package dev.tandem.spring;

import dev.tandem.Server;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/// Actuator's health of the server: up while it runs, with its current load.
final class ServerHealth extends AbstractHealthIndicator {
    private final TandemServer tandem;

    ServerHealth(TandemServer tandem) {
        super("the server's state cannot be read");
        this.tandem = tandem;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        Server server = tandem.server();
        if (server == null) {
            health.unknown().withDetail("connector", "not Tandem's, or not started");
            return;
        }
        health.up()
                .withDetail("network", server.network())
                .withDetail("connections", server.connectionCount())
                .withDetail("workers", server.workerCount())
                .withDetail("waiting", server.waitingCount());
    }
}
