package dev.tandem.files;

import dev.tandem.cache.PageCache;
import dev.tandem.files.Found.Denied;
import dev.tandem.files.Found.Document;
import dev.tandem.files.Found.Nothing;
import dev.tandem.files.Found.Slashless;
import dev.tandem.files.Places.Place;
import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.http.ReadyAnswer;
import dev.tandem.http.ReadyHandler;
import dev.tandem.http.RequestHead;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Serves the files below a folder: `get("/{path...}", Folder.of(root))`. Safe for all threads.
///
/// Answers GET and HEAD, with entity tags and dates, conditions and ranges (RFC 9110, sections
/// 8.8, 13 and 14). Small files that are asked for often are answered from memory on the event
/// loop. A folder is answered with its index file; without the slash at its end, with 301 to
/// where it is. What is not there, hidden (a name that begins with a dot, but `.well-known`),
/// neither file nor folder, or outside of the root (by whatever encoding or link), is 404. What
/// the server's user may not read is 403.
///
/// An answer never begins with bytes of a file that has changed since its head was made.
/// Changes are told by size and time of change, so whoever replaces a file by one of the same
/// size should not give it the same time to the nanosecond.
public final class Folder implements ReadyHandler {

    /// The parameter that the route's pattern must end with.
    private static final String TAIL = "path";

    /// How often a request looks for a file that changes between the look and its opening,
    /// which are some 50 microseconds apart.
    private static final int LOOKS_MAX = 5;

    private final Tree tree;
    private final Places places;
    private final HotFiles hot;
    private final Seen seen;
    private final int hotFileMax;
    private final long recheckNanos;
    private final LongSupplier nanoTime;
    private final LongSupplier timeOfDayNanos;
    private final @Nullable PageCache pages;

    private Folder(
            Path root,
            FolderOptions options,
            @Nullable PageCache pages,
            LongSupplier nanoTime,
            LongSupplier timeOfDay) {
        this.tree = new Tree(root, options);
        this.recheckNanos = options.recheck().toNanos();
        this.places = new Places(recheckNanos);
        // What has to be looked at each time need not be held.
        long cacheBytes = recheckNanos == 0 ? 0 : options.cacheBytes();
        this.hot = new HotFiles(cacheBytes, options.cacheFileMax());
        this.seen = new Seen(recheckNanos);
        this.hotFileMax = options.cacheFileMax();
        this.nanoTime = nanoTime;
        this.timeOfDayNanos = timeOfDay;
        this.pages = pages;
    }

    /// Serves `root` with [FolderOptions#DEFAULT].
    ///
    /// @throws IllegalArgumentException if it is no folder
    public static Folder of(Path root) {
        return of(root, FolderOptions.DEFAULT);
    }

    /// Serves `root`; if that is a link to a folder, whichever folder it links to at the time
    /// of a request.
    ///
    /// @throws IllegalArgumentException if it is no folder
    public static Folder of(Path root, FolderOptions options) {
        return new Folder(root, options, null, System::nanoTime, Folder::timeOfDay);
    }

    /// Serves `root`; what is not answered from memory on the loop comes from the page cache.
    /// The cache may be several folders', and is the caller's to close, after the server.
    ///
    /// @throws IllegalArgumentException if it is no folder
    public static Folder of(Path root, FolderOptions options, PageCache pages) {
        return new Folder(root, options, pages, System::nanoTime, Folder::timeOfDay);
    }

    /// Serves `root` by clocks of the caller's.
    ///
    /// @param nanoTime as [System#nanoTime()]
    /// @param timeOfDay in nanoseconds since 1970-01-01T00:00Z
    static Folder of(
            Path root, FolderOptions options, LongSupplier nanoTime, LongSupplier timeOfDay) {
        return new Folder(root, options, null, nanoTime, timeOfDay);
    }

    /// The answer from memory, if the file is there and was looked at lately.
    @Override
    public @Nullable ReadyAnswer ready(RequestHead head, String path) {
        HotFile file = hot.get(path);
        if (file == null || !isRead(head.method())) {
            return null;
        }
        return file.answer(head, nanoTime.getAsLong(), recheckNanos);
    }

    /// Answers from disk, by a look at it or by what a look found within the recheck time.
    ///
    /// @throws HttpException 404, 403, 412 if a condition fails, 503 if the file changes so
    ///     fast that no state of it can be sent
    /// @throws IOException if the disk fails, or the client is gone
    /// @throws IllegalArgumentException if the route's pattern has no `{path...}`
    @Override
    public void handle(Exchange x) throws IOException {
        if (!isRead(x.method())) {
            x.status(405).header("Allow", "GET, HEAD").send();
            return;
        }
        String tail = x.param(TAIL);
        Place known = places.get(tail, nanoTime.getAsLong());
        boolean isAnswered = known != null && known.document().isThere() && send(x, known);
        for (int looks = 0; !isAnswered; looks++) {
            if (looks == LOOKS_MAX) {
                throw new HttpException(503, "this file changes all the time");
            }
            isAnswered = look(x, tail);
        }
    }

    /// Looks at the disk and answers.
    ///
    /// @return as [FileAnswer#send()]
    private boolean look(Exchange x, String tail) throws IOException {
        long now = nanoTime.getAsLong();
        long timeOfDay = timeOfDayNanos.getAsLong();
        return switch (tree.find(tail)) {
            case Document document -> {
                var place = new Place(tail, document, Label.of(document, timeOfDay), now);
                places.put(place);
                yield send(x, place);
            }
            case Slashless _ -> {
                forget(tail);
                x.status(301).redirect(x.request().target().slashed());
                yield true;
            }
            case Nothing _ -> {
                forget(tail);
                throw new HttpException(404, "there is no such file");
            }
            case Denied _ -> {
                forget(tail);
                throw new HttpException(403, "this file may not be read");
            }
        };
    }

    private void forget(String tail) {
        places.forget(tail);
        hot.forget(tail);
    }

    private boolean send(Exchange x, Place place) throws IOException {
        hot.found(place);
        return new FileAnswer(x, place.document(), place.label(), pages).send();
    }

    private static long timeOfDay() {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    }

    private static boolean isRead(String method) {
        return method.equals("GET") || method.equals("HEAD");
    }
}
