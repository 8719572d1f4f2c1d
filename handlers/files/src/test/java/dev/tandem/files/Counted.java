package dev.tandem.files;

import dev.tandem.http.Exchange;
import dev.tandem.http.ReadyAnswer;
import dev.tandem.http.ReadyHandler;
import dev.tandem.http.RequestHead;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Counts how a folder's requests are answered.
final class Counted implements ReadyHandler {
    private final Folder folder;
    private final AtomicInteger fromMemory = new AtomicInteger();
    private final AtomicInteger fromDisk = new AtomicInteger();

    Counted(Folder folder) {
        this.folder = folder;
    }

    @Override
    public @Nullable ReadyAnswer ready(RequestHead head, String path) {
        ReadyAnswer answer = folder.ready(head, path);
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
