package dev.tandem.fastcgi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import dev.tandem.testkit.server.Web;
import dev.tandem.upstream.UpstreamOptions;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients that pause within a body or a response: the time is theirs, which has limits of its own,
/// and the application has not failed, nor is it held by an upload. Another application, which is
/// silent, shows that the time has passed.
@Timeout(60)
class SlowClientTest {
    /// 3 s: an application that runs is faster, also on a busy machine.
    private static final Duration BRIEF = Duration.ofSeconds(3);

    /// More than the time that an application may take.
    private static final Duration PAUSE = BRIEF.plusSeconds(1);

    private static final int RECORD = 60_000;

    /// 24 MB, which no socket buffers hold.
    private static final int RECORDS = 400;

    private static final UpstreamOptions TIMES =
            UpstreamOptions.DEFAULT.withInactivityTimeout(BRIEF).withFailuresMax(1);

    private final Path root;

    SlowClientTest(@TempDir Path folder) throws IOException {
        root = folder.toRealPath();
        Files.writeString(root.resolve("a.php"), "<?php");
    }

    private FastCgi application(Responder responder, UpstreamOptions options) {
        return FastCgi.folder(
                root, List.of(responder.address()), FastCgiOptions.DEFAULT.withUpstream(options));
    }

    @FunctionalInterface
    private interface Conversation {
        void with(Socket client, Pause pause) throws IOException;
    }

    @FunctionalInterface
    private interface Pause {
        /// @param held connections to the application meanwhile
        void takeLong(int held) throws IOException;
    }

    /// @return whether the application counts as up
    private boolean converse(Responder.Play play, Conversation conversation) throws IOException {
        try (var responder = new Responder(play);
                var silent = new Responder(Responder.Talk::awaitEnd);
                var application = application(responder, TIMES);
                var other = application(silent, TIMES.withResponseTimeout(PAUSE));
                var web =
                        new Web(
                                site ->
                                        site.route("*", "/up/{path...}", application)
                                                .route("*", "/silent/{path...}", other));
                Socket client = web.connect()) {
            conversation.with(
                    client,
                    held -> {
                        var upstream = application.upstreams().members().getFirst();
                        Patience.until("it has begun", () -> upstream.inUse() == held);
                        assertEquals(504, web.get("/silent/a.php").status());
                        assertEquals(held, upstream.inUse());
                    });
            return application.upstreams().members().getFirst().isUp();
        }
    }

    @Test
    void pauseWithinABodyHoldsNoConnection() throws IOException {
        boolean isUp =
                converse(
                        talk -> talk.respond("Content-Type: a/b\r\n\r\n" + talk.body().length()),
                        (client, pause) -> {
                            Web.send(client, "POST", "/up/a.php", "Content-Length: 100000");
                            client.getOutputStream().write(new byte[90_000]);
                            pause.takeLong(0);
                            client.getOutputStream().write(new byte[10_000]);
                            assertEquals("100000", Web.read(client.getInputStream()).text());
                        });
        assertTrue(isUp);
    }

    @Test
    void responseWaitsForAClientThatPauses() throws IOException {
        byte[] head = RecordReaderTest.record(6, 1, "Content-Type: a/b\r\n\r\n", 0);
        byte[] record = RecordReaderTest.record(6, 1, "x".repeat(RECORD), 0);
        byte[] end = RecordReaderTest.record(3, 1, "\0\0\0\0\0\0\0\0", 0);
        boolean isUp =
                converse(
                        talk -> {
                            talk.say(head);
                            for (int i = 0; i < RECORDS; i++) {
                                talk.say(record);
                            }
                            talk.say(end);
                        },
                        (client, pause) -> {
                            Web.send(client, "GET", "/up/a.php");
                            pause.takeLong(1);
                            byte[] all = Web.read(client.getInputStream()).body();
                            assertTrue(all.length > RECORD * RECORDS, all.length + " bytes");
                        });
        assertTrue(isUp);
    }
}
