package dev.tandem.testkit.server;

import dev.tandem.http.Exchange;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Counts responses from memory and from the handler itself.
public final class Counted implements PreparedResponseHandler {
    private final PreparedResponseHandler handler;
    private final AtomicInteger fromMemory = new AtomicInteger();
    private final AtomicInteger fromDisk = new AtomicInteger();

    /// Wraps the handler.
    public Counted(PreparedResponseHandler handler) {
        this.handler = handler;
    }

    @Override
    public @Nullable PreparedResponse preparedResponse(RequestHead head, String path) {
        PreparedResponse response = handler.preparedResponse(head, path);
        if (response != null) {
            fromMemory.incrementAndGet();
        }
        return response;
    }

    @Override
    public void handle(Exchange x) throws Exception {
        fromDisk.incrementAndGet();
        handler.handle(x);
    }

    /// The number of prepared responses.
    public int fromMemory() {
        return fromMemory.get();
    }

    /// The number of requests handled on a worker.
    public int fromDisk() {
        return fromDisk.get();
    }
}
