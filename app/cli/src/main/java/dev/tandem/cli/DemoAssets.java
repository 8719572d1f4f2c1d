package dev.tandem.cli;

import dev.tandem.Tandem;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import java.io.IOException;

/// A page with thirty assets: ten style sheets, ten scripts, ten images, each of which has an
/// effect that the page's script counts. When all are loaded, the title is `30 of 30`.
final class DemoAssets {
    static final int COUNT = 30;
    private static final int OF_EACH = COUNT / 3;

    private DemoAssets() {}

    static void addTo(Tandem server) {
        String page = page();
        server.get("/assets30", Handler.nonBlocking(x -> x.html(page)))
                .get("/assets30/{name}", Handler.nonBlocking(DemoAssets::asset));
    }

    private static void asset(Exchange x) throws IOException {
        String name = x.pathParam("name");
        int dot = name.indexOf('.');
        int number = number(name.substring(0, Math.max(dot, 0)));
        switch (name.substring(dot + 1)) {
            case "css" -> x.contentType("text/css").send("#s" + number + " { z-index: 7 }\n");
            case "js" ->
                    x.contentType("text/javascript").send("window.loaded.push(" + number + ");\n");
            case "svg" -> x.contentType("image/svg+xml").send(image(number));
            default -> throw new HttpException(404, "no such asset");
        }
    }

    private static int number(String text) {
        if (!text.matches("[0-9]") || Integer.parseInt(text) >= OF_EACH) {
            throw new HttpException(404, "no such asset");
        }
        return Integer.parseInt(text);
    }

    private static String page() {
        var sheets = new StringBuilder();
        var marks = new StringBuilder();
        var scripts = new StringBuilder();
        for (int i = 0; i < OF_EACH; i++) {
            sheets.append("<link rel=\"stylesheet\" href=\"/assets30/" + i + ".css\">\n");
            marks.append("<b id=\"s" + i + "\">" + i + "</b>\n");
            marks.append(
                    "<img src=\"/assets30/" + i + ".svg\" width=\"40\" height=\"40\" alt=\"\">\n");
            scripts.append("<script src=\"/assets30/" + i + ".js\"></script>\n");
        }
        return """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>loading</title>
        <link rel="stylesheet" href="/style.css">
        <script src="/count.js"></script>
        %s
        <main class="small">
        <h1>Thirty assets</h1>
        <p id="count">loading</p>
        <p>%s</p>
        <p><a href="/">Back</a></p>
        </main>
        %s
        """
                .formatted(sheets, marks, scripts);
    }

    private static String image(int number) {
        return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">\
        <circle cx="5" cy="5" r="4" fill="hsl(%d 70%% 50%%)"/></svg>
        """
                .formatted(36 * number);
    }
}
