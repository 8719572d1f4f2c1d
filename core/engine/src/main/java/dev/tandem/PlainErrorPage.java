package dev.tandem;

import dev.tandem.http.Exchange;
import dev.tandem.http.Html;
import dev.tandem.http.Status;
import java.io.IOException;

/// The default error page.
final class PlainErrorPage implements ErrorPage {
    private static final String HTML =
            """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>%1$s</title>
            <style>
              :root { color-scheme: light dark; font-family: system-ui, sans-serif }
              body { margin: 15vh auto; max-width: 32rem; padding: 0 1rem }
              h1 { font-size: 1.5rem }
              code { opacity: .7 }
            </style>
            <h1>%1$s</h1>
            <p>%2$s</p>
            """;

    @Override
    public void show(Exchange x, String message) throws IOException {
        String title = x.status() + " " + Status.reasonPhrase(x.status());
        x.header("Cache-Control", "no-store").header("X-Content-Type-Options", "nosniff");
        boolean isOurs = x.status() >= 500;
        String accept = x.header("Accept");
        if (accept != null && accept.contains("text/html")) {
            String id = isOurs ? "<p><code>" + x.id() + "</code></p>\n" : "";
            x.html(HTML.formatted(Html.escape(title), Html.escape(message)) + id);
        } else {
            x.send(title + "\n" + message + "\n" + (isOurs ? x.id() + "\n" : ""));
        }
    }
}
