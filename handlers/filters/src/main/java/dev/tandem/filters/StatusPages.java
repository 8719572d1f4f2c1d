package dev.tandem.filters;

import dev.tandem.http.Accept;
import dev.tandem.http.Exchange;
import dev.tandem.http.Html;
import dev.tandem.http.Status;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// HTML pages for error responses, by status. Held in memory, so that they remain available when
/// nothing else is. Immutable and thread safe.
///
/// The placeholders `{status}`, `{reason}`, `{message}` and `{id}` in a page are replaced by their
/// escaped values.
public final class StatusPages {
    /// The largest page: 256 KiB.
    private static final int PAGE_MAX = 256 << 10;

    private static final Pattern KEY = Pattern.compile("[45](xx|\\d\\d)");
    private static final List<String> TYPES = List.of("text/plain", "text/html");

    private final Map<String, String> pages;

    private StatusPages(Map<String, String> pages) {
        this.pages = pages;
    }

    /// Reads the pages. Blocks.
    ///
    /// @param files by `404`, or `5xx` for all statuses of that class without a page of their own
    /// @throws IllegalArgumentException if a key is malformed, or a page has more than 256 KiB
    /// @throws IOException if a page cannot be read, or is not UTF-8; names it
    public static StatusPages of(Map<String, Path> files) throws IOException {
        var pages = new HashMap<String, String>();
        for (Map.Entry<String, Path> entry : files.entrySet()) {
            Path file = entry.getValue();
            if (!KEY.matcher(entry.getKey()).matches()) {
                throw new IllegalArgumentException(
                        "an error page must be for 400 to 599, 4xx or 5xx, one was for '"
                                + entry.getKey()
                                + "'");
            }
            pages.put(entry.getKey(), read(file));
        }
        return new StatusPages(Map.copyOf(pages));
    }

    private static String read(Path file) throws IOException {
        try {
            if (Files.size(file) > PAGE_MAX) {
                throw new IllegalArgumentException(
                        "an error page must have at most " + PAGE_MAX + " bytes: " + file);
            }
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new IOException("the error page " + file + " is not UTF-8", e);
        } catch (IOException e) {
            throw new IOException("an error page cannot be read: " + e, e);
        }
    }

    /// Sends the page for an exchange whose status is set, if there is one and the client prefers
    /// HTML to text. Does not block, and so may be called on a loop.
    ///
    /// @param message what the client may be shown
    /// @return false if no page was sent
    /// @throws IOException if the client has disconnected
    public boolean trySend(Exchange x, String message) throws IOException {
        String page = page(x.status());
        String accept = x.header("Accept");
        boolean isHtml =
                accept != null
                        && accept.contains("text/html")
                        && "text/html".equals(Accept.bestMediaType(accept, TYPES.reversed()));
        if (page == null || !isHtml) {
            return false;
        }
        x.header("Cache-Control", "no-store").header("X-Content-Type-Options", "nosniff");
        x.html(render(page, x, message));
        return true;
    }

    private @Nullable String page(int status) {
        String own = pages.get(Integer.toString(status));
        return own != null ? own : pages.get(status / 100 + "xx");
    }

    private static String render(String page, Exchange x, String message) {
        if (page.indexOf('{') < 0) {
            return page;
        }
        // The message last: it may itself contain a placeholder's name.
        return page.replace("{status}", Integer.toString(x.status()))
                .replace("{reason}", Html.escape(Status.reasonPhrase(x.status())))
                .replace("{id}", Html.escape(x.id()))
                .replace("{message}", Html.escape(message));
    }
}
