package dev.tandem.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.FramingCheck;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Every status that an upstream sends, with every kind of body, says where it ends.
@Timeout(120)
class SelfDelimitingTest {
    private static final Map<String, String> KINDS =
            Map.of(
                    "none", "\r\n",
                    "close", "Connection: close\r\n\r\n",
                    "length0", "Content-Length: 0\r\n\r\n",
                    "length", "Content-Length: 7\r\n\r\ncontent",
                    "chunk0", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                    "chunk", "Transfer-Encoding: chunked\r\n\r\n7\r\ncontent\r\n0\r\n\r\n");

    /// `GET /status/kind HTTP/1.1`.
    private static void play(ScriptedServer.Talk talk) throws IOException {
        String head = talk.readHead();
        while (head != null) {
            String[] path = head.split(" ")[1].split("/");
            int status = Integer.parseInt(path[1]);
            String kind = path[2];
            boolean hasNone = head.startsWith("HEAD") || status == 204 || status == 304;
            String text = String.valueOf(KINDS.get(kind));
            int end = text.indexOf("\r\n\r\n");
            if (hasNone && end >= 0) {
                text = text.substring(0, end + 4);
            }
            talk.say("HTTP/1.1 " + status + " X\r\n" + text);
            if (kind.equals("close") || kind.equals("none") && !hasNone) {
                return;
            }
            head = talk.readHead();
        }
    }

    @Test
    void everyResponseIsSelfDelimiting() throws IOException {
        try (var upstream = new ScriptedServer(SelfDelimitingTest::play);
                var proxy = Proxy.to(List.of(upstream.address()));
                var web =
                        new Web(
                                site ->
                                        site.get("/next", x -> x.send("next"))
                                                .route("*", "/{path...}", proxy))) {
            var check = new FramingCheck(web.serverAddress(), "/next");
            int count = 0;
            for (int status = 200; status <= 599; status++) {
                boolean isSpecial = status == 204 || status == 205 || status == 304;
                for (String kind :
                        isSpecial || status % 25 == 0 ? KINDS.keySet() : List.of("chunk")) {
                    count += check.check("/" + status + "/" + kind, status);
                }
            }
            assertEquals(true, count > 5_000, "ways: " + count);
        }
    }
}
