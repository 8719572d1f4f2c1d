package dev.tandem.filters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.ErrorPage;
import dev.tandem.http.HttpException;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatusPagesTest {
    private static final String HTML = "Accept: text/html, */*;q=0.1";

    private static Web serve(StatusPages pages) throws IOException {
        ErrorPage page =
                (x, message) -> {
                    if (!pages.trySend(x, message)) {
                        ErrorPage.PLAIN.show(x, message);
                    }
                };
        return new Web(
                site ->
                        site.errorPage(page)
                                .get(
                                        "/{status}",
                                        x -> {
                                            int status = Integer.parseInt(x.pathParam("status"));
                                            throw new HttpException(status, "<b>{id}");
                                        }));
    }

    @Test
    void statusHasItsOwnPageOrThatOfItsClass(@TempDir Path folder) throws IOException {
        Path own = Files.writeString(folder.resolve("a"), "own {status} {reason} {message}");
        Path rest = Files.writeString(folder.resolve("b"), "rest {status} {id}");
        try (Web web = serve(StatusPages.of(Map.of("404", own, "4xx", rest)))) {
            Web.Response missing = web.get("/404", HTML);
            assertEquals(404, missing.status());
            assertEquals("own 404 Not Found &lt;b&gt;{id}", missing.text());
            assertEquals("no-store", missing.field("Cache-Control"));
            String gone = web.get("/410", HTML).text();
            assertTrue(gone.startsWith("rest 410 ") && !gone.contains("{"), gone);
            assertFalse(web.get("/500", HTML).text().contains("rest"));
            assertFalse(web.get("/404").text().contains("own"));
            assertFalse(web.get("/404", "Accept: application/json").text().contains("own"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"200", "4", "600", "4xy", "404 ", "3xx", ""})
    void malformedKeyIsRejected(String key, @TempDir Path folder) throws IOException {
        Path page = Files.writeString(folder.resolve("a"), "x");
        assertThrows(IllegalArgumentException.class, () -> StatusPages.of(Map.of(key, page)));
    }

    @Test
    void pageThatCannotBeReadIsNamedWithTheReason(@TempDir Path folder) throws IOException {
        Path none = folder.resolve("none.html");
        var missing = assertThrows(IOException.class, () -> StatusPages.of(Map.of("404", none)));
        assertEquals(
                "an error page cannot be read: java.nio.file.NoSuchFileException: " + none,
                missing.getMessage());
        Path latin = Files.write(folder.resolve("latin.html"), new byte[] {(byte) 0xe4});
        var malformed = assertThrows(IOException.class, () -> StatusPages.of(Map.of("404", latin)));
        assertEquals("the error page " + latin + " is not UTF-8", malformed.getMessage());
    }

    @Test
    void tooLargePageIsRejected(@TempDir Path folder) throws IOException {
        Path page = Files.write(folder.resolve("a"), new byte[(256 << 10) + 1]);
        assertThrows(IllegalArgumentException.class, () -> StatusPages.of(Map.of("404", page)));
    }
}
