package dev.tandem.files;

import dev.tandem.http.Exchange;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Counts how a folder's requests are answered.
final class Counted implements PreparedResponseHandler {
    private final Folder folder;
    private final AtomicInteger fromMemory = new AtomicInteger();
    private final AtomicInteger fromDisk = new AtomicInteger();

    Counted(Folder folder) {
        this.folder = folder;
    }

    @Override
    public @Nullable PreparedResponse preparedResponse(RequestHead head, String path) {
        PreparedResponse answer = folder.preparedResponse(head, path);
        if (answer != null) {
            fromMemory.incrementAndGet();
        }
        return answer;
    }

    @Override
    public void handle(Exchange x) throws Exception {
        fromDisk.incrementAndGet();
        folder.handle(x);
    }

    int fromMemory() {
        return fromMemory.get();
    }

    int fromDisk() {
        return fromDisk.get();
    }
}
