package dev.tandem.lab.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import dev.tandem.testkit.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The auction in a process of its own.
@DisabledOnOs(OS.WINDOWS)
class AuctionProcessTest {
    private static final List<String> SMALL =
            List.of("-Dauction.users=20", "-Dauction.items=30", "-Dauction.olditems=10");

    @Test
    void auctionServesUntilStoppedAndLeavesNoFiles(@TempDir Path temporary) throws Exception {
        var small = new ArrayList<>(SMALL);
        small.add("-Dtandem.auction=" + System.getProperty("tandem.auction"));
        try (var demo = ServerProcess.start(temporary, small, "demo", "--manage", "127.0.0.1:0")) {
            try (var client = RawClient.connect(demo.address())) {
                String page = client.send("GET / HTTP/1.1\nHost: a\n\n").response().text();
                assertTrue(page.contains("<meta name=\"page\" content=\"Home\">"), page);
                assertTrue(page.contains("What the server does now"), page);
            }
            demo.terminate();
            demo.end();
        }
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(0, left.filter(Files::isDirectory).count());
        }
    }

    @Test
    void auctionWarRuns(@TempDir Path temporary) throws IOException {
        String war = System.getProperty("tandem.auction.war");
        try (var server = ServerProcess.start(temporary, SMALL, "run", war)) {
            RawResponse home = get(server, "/");
            assertEquals(200, home.status());
            assertTrue(home.text().contains("<!-- end of Home -->"), home.text());
            assertTrue(get(server, "/item?id=1").text().contains("<!-- end of ViewItem -->"));
            assertEquals("image/svg+xml", get(server, "/gavel.svg").field("Content-Type"));
        }
    }

    private static RawResponse get(ServerProcess server, String path) throws IOException {
        try (var client = RawClient.connect(server.address())) {
            return client.send("GET " + path + " HTTP/1.1\nHost: a\n\n").response();
        }
    }
}
