package dev.tandem.lab.store;

import dev.tandem.database.Templates;
import dev.tandem.database.View;
import dev.tandem.http.Exchange;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;

/// Renders and sends the result of a data stage, as [dev.tandem.database.Staged] does, and counts
/// connections that are held meanwhile. Safe for use by any thread.
final class PageRenderer {
    private static final int LENGTH = 8_192;

    private final Templates templates;
    private final LongAdder pages = new LongAdder();
    private final LongAdder held = new LongAdder();

    PageRenderer(Templates templates) {
        this.templates = templates;
    }

    /// @param held connections that the page holds while it is rendered
    byte[] render(View.Page page, int held) throws Exception {
        var text = new StringWriter(LENGTH);
        this.held.add(held);
        templates.render(page.template(), page.model(), text);
        pages.increment();
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    void send(Exchange x, View view, int held) throws Exception {
        switch (view) {
            case View.Page page -> send(x, page.status(), render(page, held));
            case View.Redirect(String location) -> x.redirect(location);
        }
    }

    static void send(Exchange x, int status, byte[] page) throws IOException {
        x.status(status).contentType("text/html; charset=utf-8").send(page);
    }

    long pages() {
        return pages.sum();
    }

    long held() {
        return held.sum();
    }
}
