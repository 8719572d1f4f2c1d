package dev.tandem.auction;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A browser that gets an item's states as server-sent events. Written without blocking: what it
/// does not accept waits here, the last state only.
///
/// Guarded by this object.
final class EventWatcher implements LivePrices.Watcher, WriteListener, AsyncListener {
    /// Browsers come back after two to four seconds, not all at once.
    private static final int RETRY_MILLIS = 2_000;

    private static final String BEAT = ":\n\n";

    private final AsyncContext async;
    private final LivePrices prices;
    private final long item;
    private final ServletOutputStream out;
    private @Nullable String next;
    private boolean isEnding;
    private boolean isOver;

    EventWatcher(AsyncContext async, LivePrices prices, long item) throws IOException {
        this.async = async;
        this.prices = prices;
        this.item = item;
        this.out = async.getResponse().getOutputStream();
    }

    /// Begins the response.
    void begin() {
        next = "retry: " + (RETRY_MILLIS + (int) (Math.random() * RETRY_MILLIS)) + "\n\n";
        async.addListener(this);
        out.setWriteListener(this);
    }

    /// Responds that there is nothing to watch; browsers do not ask again.
    synchronized void reject() {
        ((HttpServletResponse) async.getResponse()).setStatus(HttpServletResponse.SC_NO_CONTENT);
        next = null;
        end();
    }

    @Override
    public synchronized void show(String state) {
        next = "data: " + state + "\n\n";
        write();
    }

    @Override
    public synchronized void beat() {
        if (next == null) {
            next = BEAT;
            write();
        }
    }

    @Override
    public synchronized void end() {
        isEnding = true;
        write();
    }

    @Override
    public synchronized void onWritePossible() {
        write();
    }

    /// Writes what waits, if the browser accepts it.
    private void write() {
        try {
            while (!isOver && next != null && out.isReady()) {
                byte[] bytes = next.getBytes(StandardCharsets.UTF_8);
                next = null;
                out.write(bytes);
                if (out.isReady()) {
                    out.flush();
                }
            }
            if (isEnding && next == null && !isOver) {
                complete();
            }
        } catch (IOException | IllegalStateException e) {
            complete(); // the browser has disconnected
        }
    }

    private void complete() {
        if (!isOver) {
            isOver = true;
            async.complete();
        }
    }

    @Override
    public synchronized void onError(Throwable failure) {
        complete();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        prices.leave(item, this);
    }

    @Override
    public synchronized void onError(AsyncEvent event) {
        complete();
    }

    @Override
    public synchronized void onTimeout(AsyncEvent event) {
        complete();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // Its dispatches begin none.
    }
}
