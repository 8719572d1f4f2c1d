package dev.tandem.spring;

import dev.tandem.Server;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/// Up while the server runs, with what it has to do now.
final class ServerHealth extends AbstractHealthIndicator {
    private final TandemServer tandem;

    ServerHealth(TandemServer tandem) {
        super("the server cannot be asked");
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
