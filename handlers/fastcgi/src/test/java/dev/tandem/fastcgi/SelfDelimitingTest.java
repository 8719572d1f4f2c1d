package dev.tandem.fastcgi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.FramingCheck;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Every status that an application sets, with every kind of body, says where it ends.
@Timeout(120)
class SelfDelimitingTest {
    private static final Map<String, String> KINDS =
            Map.of(
                    "nothing", "\r\n",
                    "length0", "Content-Length: 0\r\n\r\n",
                    "length", "Content-Length: 7\r\n\r\ncontent",
                    "plain", "\r\ncontent");

    private static void respond(Responder.Talk talk) throws IOException {
        String query = String.valueOf(talk.variables().get("QUERY_STRING"));
        int dash = query.indexOf('-');
        talk.respond(
                "Status: "
                        + query.substring(0, dash)
                        + "\r\nContent-Type: text/plain\r\n"
                        + KINDS.get(query.substring(dash + 1)));
    }

    @Test
    void everyResponseIsSelfDelimiting(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("a.php"), "<?php");
        try (var responder = new Responder(SelfDelimitingTest::respond);
                var fastCgi = FastCgi.folder(folder, List.of(responder.address()));
                var web =
                        new Web(
                                site ->
                                        site.get("/next", x -> x.send("next"))
                                                .route("*", "/php/{path...}", fastCgi))) {
            var check = new FramingCheck(web.serverAddress(), "/next");
            int count = 0;
            for (int status : List.of(200, 201, 204, 205, 206, 302, 304, 404, 500, 503)) {
                for (String kind : KINDS.keySet()) {
                    count += check.check("/php/a.php?" + status + "-" + kind, status);
                }
            }
            assertEquals(480, count);
        }
    }
}
