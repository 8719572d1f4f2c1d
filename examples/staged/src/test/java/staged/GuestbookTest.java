package staged;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testing.TestServer;
import org.junit.jupiter.api.Test;

class GuestbookTest {
    @Test
    void entryIsShownEscaped() throws Exception {
        try (var book = new Guestbook("jdbc:h2:mem:test");
                TestServer server = TestServer.onPort(book::addTo)) {
            server.request("POST", "/").field("text", "I <3 tea").send().expect(303);
            String page = server.get("/").expect(200).text();
            assertTrue(page.contains("<li>I &lt;3 tea"), page);
            server.request("POST", "/").field("text", "").send().expect(400);
        }
    }
}
