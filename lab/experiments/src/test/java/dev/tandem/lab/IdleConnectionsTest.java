package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.Server;
import dev.tandem.Tandem;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IdleConnectionsTest {
    private static Server server() throws IOException {
        return Tandem.listen("127.0.0.1", 0).get("/hello", x -> x.send("hi")).start();
    }

    @Test
    void idleConnectionsStayOpen() throws IOException {
        try (var server = server();
                var idle = new IdleConnections("/hello")) {
            idle.open(server.port(), 30);
            assertEquals(30, idle.countOpen());
        }
    }

    @Test
    void connectionsClosedByTheServerAreNotCounted() throws IOException {
        try (var server = server();
                var idle = new IdleConnections("/hello")) {
            idle.open(server.port(), 30);
            server.stop(Duration.ofSeconds(5));
            assertEquals(0, idle.countOpen());
        }
    }

    @Test
    void connectionWithAWrongResponseIsAFailure() throws IOException {
        try (var server = server();
                var idle = new IdleConnections("/none")) {
            assertThrows(IOException.class, () -> idle.open(server.port(), 1));
        }
    }

    @Test
    void descriptorsBoundTheirCount() {
        assertEquals(724, IdleConnections.possible(10_000, 1_024));
        assertEquals(0, IdleConnections.possible(10_000, 100));
        assertEquals(10_000, IdleConnections.possible(10_000, Integer.MAX_VALUE));
    }
}
