package dev.tandem.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Gets pages for those who ask: from memory, or from disk, where one reads for all that ask
/// for the same, several pages at a time. Shared by all threads.
final class Loader {
    private final Hold hold;
    private final Evictor evictor;

    Loader(Hold hold, Evictor evictor) {
        this.hold = hold;
        this.evictor = evictor;
    }

    /// A page, pinned, with its content; or null if there is no room for it.
    ///
    /// @param last the last page that will be asked for after it, without a gap
    /// @throws IOException if the disk fails
    /// @throws StaleFileException if the file is in another state than its record says
    @Nullable Page acquire(CachedFile reader, int index, int last) throws IOException {
        while (true) {
            Look look = look(reader, index, last);
            Page page = look.page();
            if (page != null && look.isPinned()) {
                return page;
            }
            if (page != null) {
                hold.counters().shared.increment();
                await(page);
                continue;
            }
            List<Page> run = begin(reader.record(), index, look.missing());
            if (!run.isEmpty()) {
                return load(reader, run);
            }
            if (!isThere(reader.record(), index)) {
                return null;
            }
        }
    }

    /// What is found of a page.
    ///
    /// @param page null if it is missing
    /// @param isPinned whether it is loaded, and now pinned
    /// @param missing how many pages, it and those after it, are to be read
    private record Look(@Nullable Page page, boolean isPinned, int missing) {}

    private Look look(CachedFile reader, int index, int last) {
        FileRecord file = reader.record();
        hold.lock().lock();
        try {
            Page page = file.pages[index];
            if (page == null) {
                return new Look(null, false, file.isCurrent ? missing(file, index, last) : 0);
            }
            boolean isLoaded = page.kind != Page.Kind.LOADING;
            if (isLoaded && (page.isAhead || reader.isAgain(index))) {
                page.isAhead = false;
                page.pins++;
            } else if (isLoaded) {
                countHit(page);
                hold.residents().use(page);
            }
            return new Look(page, isLoaded, 0);
        } finally {
            hold.lock().unlock();
        }
    }

    private void countHit(Page page) {
        boolean isPacked = page.kind == Page.Kind.PACKED;
        (isPacked ? hold.counters().packedHits : hold.counters().plainHits).increment();
    }

    private boolean isThere(FileRecord file, int index) {
        hold.lock().lock();
        try {
            return file.pages[index] != null;
        } finally {
            hold.lock().unlock();
        }
    }

    private static void await(Page page) throws IOException {
        try {
            page.loaded.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while another read " + page.file.path, e);
        }
    }

    /// How many pages are to be read in one go.
    private int missing(FileRecord file, int index, int last) {
        int end = Math.min(last, index + hold.options().readAheadPages() - 1);
        int count = 0;
        while (index + count <= end && file.pages[index + count] == null) {
            count++;
        }
        return count;
    }

    /// Begins pages that are missing, as far as there are frames for them and nobody else has
    /// begun them meanwhile.
    private List<Page> begin(FileRecord file, int index, int count) {
        var frames = new ArrayList<Integer>();
        for (int i = 0; i < count; i++) {
            int frame = evictor.frame();
            if (frame < 0) {
                break;
            }
            frames.add(frame);
        }
        var run = new ArrayList<Page>();
        hold.lock().lock();
        try {
            for (int frame : frames) {
                int at = index + run.size();
                boolean isMissing =
                        file.isCurrent && at < file.pages.length && file.pages[at] == null;
                if (isMissing && run.size() == at - index) {
                    run.add(hold.residents().begin(file, at, length(file, at), frame));
                } else {
                    hold.residents().frames().give(frame);
                }
            }
        } finally {
            hold.lock().unlock();
        }
        return run;
    }

    private int length(FileRecord file, int index) {
        int pageBytes = hold.options().pageBytes();
        return (int) Math.min(pageBytes, file.state.size() - (long) index * pageBytes);
    }

    /// Reads pages into their frames. Returns the first, pinned.
    private Page load(CachedFile reader, List<Page> run) throws IOException {
        var buffers = new ByteBuffer[run.size()];
        long length = 0;
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = hold.residents().frames().segment(run.get(i).place).asByteBuffer();
            length += run.get(i).length;
        }
        boolean isRead = false;
        try {
            long position = (long) run.getFirst().index * hold.options().pageBytes();
            reader.read(position, buffers, length);
            isRead = true;
        } finally {
            publish(run, isRead);
        }
        hold.counters().misses.add(run.size());
        return run.getFirst();
    }

    private void publish(List<Page> run, boolean isRead) {
        hold.lock().lock();
        try {
            for (Page page : run) {
                if (isRead) {
                    hold.residents().loaded(page);
                } else {
                    hold.residents().failed(page);
                }
                if (isRead && page != run.getFirst()) {
                    page.isAhead = true;
                    hold.residents().release(page);
                }
            }
        } finally {
            hold.lock().unlock();
        }
    }
}
