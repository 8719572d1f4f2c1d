package dev.tandem.auction;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Sends the state of an item as server-sent events, at `/live/ITEM`: for browsers that cannot
/// begin a WebSocket session there. The request is async, so no thread has it while it is silent.
final class LiveServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final transient LivePrices prices;

    LiveServlet(LivePrices prices) {
        this.prices = prices;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        long item = item(request.getPathInfo());
        if (item < 0) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        response.setContentType("text/event-stream; charset=utf-8");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Accel-Buffering", "no"); // nginx would collect them for a while
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        var watcher = new EventWatcher(async, prices, item);
        try {
            watcher.begin();
            if (!prices.watch(item, watcher)) {
                watcher.reject();
            }
        } catch (SQLException e) {
            getServletContext().log("live: " + e.getMessage());
            watcher.end();
        }
    }

    /// Returns the item of a path such as `/7`; -1 if it names none.
    static long item(@Nullable String path) {
        try {
            return path == null || path.length() < 2 ? -1 : Long.parseLong(path.substring(1));
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
