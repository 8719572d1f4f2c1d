package dev.tandem.files;

import dev.tandem.files.Found.Bare;
import dev.tandem.files.Found.Denied;
import dev.tandem.files.Found.Document;
import dev.tandem.files.Found.Nothing;
import dev.tandem.files.Found.Slashless;
import dev.tandem.files.Places.Place;
import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Serves the files below a folder: `get("/{path...}", Folder.of(root))`. Safe for all threads.
///
/// Answers GET and HEAD, with entity tags and dates, conditions and ranges (RFC 9110, sections
/// 8.8, 13 and 14). Small files that are asked for often are answered from memory on the event
/// loop. A folder is answered with its index file; without the slash at its end, with 301 to
/// where it is; one without an index file with a listing, if [FolderOptions#listingMax()] allows.
/// Clients that take them get compressed forms ([Compression]). What is not there, hidden (a name
/// that begins with a dot, but `.well-known`), neither file nor folder, or outside of the root
/// (by whatever encoding or link), is 404. What the server's user may not read is 403.
///
/// An answer never begins with bytes of a file that has changed since its head was made. Changes
/// are told by size and time of change, so whoever replaces a file by one of the same size should
/// not give it the same time to the nanosecond.
public final class Folder implements PreparedResponseHandler {

    /// The parameter that the route's pattern must end with.
    private static final String TAIL = "path";

    /// How often a request looks for a file that changes between the look and its opening, which
    /// are some 50 microseconds apart.
    private static final int LOOKS_MAX = 5;

    /// How many paths' forms are known; some 10 MB. When it is full, all are forgotten: what is
    /// asked for comes back at once.
    private static final int FORMS_MAX = 16_384;

    private final FolderOptions options;

    /// What is made here, and not by the page cache.
    private final Compression compression;

    private final Tree tree;
    private final Places places;
    private final HotFiles hot;

    /// What was compressed; by the forms' own names.
    private final HotFiles packed;

    /// The forms of those paths that have more than one.
    private final ConcurrentHashMap<String, Forms> forms = new ConcurrentHashMap<>();

    private final Tastes tastes = new Tastes();
    private final long recheckNanos;
    private final LongSupplier nanoTime;
    private final LongSupplier timeOfDayNanos;

    /// Where content comes from that is not in memory; null: from the kernel.
    private final @Nullable Paging paging;

    private Folder(
            Path root,
            FolderOptions options,
            @Nullable FileCache pages,
            LongSupplier nanoTime,
            LongSupplier timeOfDay) {
        this.options = options;
        this.paging = pages == null ? null : Paging.of(pages, options.compression());
        this.compression = paging == null ? options.compression() : paging.others();
        this.tree = new Tree(root, options);
        Compressors.log(options.compression().made(), pages);
        this.recheckNanos = options.recheck().toNanos();
        this.places = new Places(recheckNanos);
        // What has to be looked at each time need not be held.
        long cacheBytes = recheckNanos == 0 ? 0 : options.cacheBytes();
        this.hot = new HotFiles(cacheBytes, options.cacheFileMax(), counted(HotFile::load));
        long packedBytes = recheckNanos == 0 ? 0 : compression.cacheBytes();
        this.packed = new HotFiles(packedBytes, compression.fileMax(), counted(new Packer()::load));
        this.nanoTime = nanoTime;
        this.timeOfDayNanos = timeOfDay;
    }

    private HotFiles.Loader counted(HotFiles.Loader loader) {
        return paging == null ? loader : paging.counted(loader);
    }

    /// Serves `root` with [FolderOptions#DEFAULT].
    ///
    /// @throws IllegalArgumentException if it is no folder
    public static Folder of(Path root) {
        return of(root, FolderOptions.DEFAULT);
    }

    /// Serves `root`; if that is a link to a folder, whichever folder it links to at the time of
    /// a request.
    ///
    /// @throws IllegalArgumentException if it is no folder
    public static Folder of(Path root, FolderOptions options) {
        return new Folder(root, options, null, System::nanoTime, Folder::timeOfDay);
    }

    /// Serves `root`; what is not answered from memory on the loop comes from the cache
    /// ([FileCache#open(long)]). It may be several folders', and is the caller's to close, after
    /// the server. What it can send as it is stored is not compressed a second time: of
    /// [Compression#made()], only the other codings are made, for clients that do not take that
    /// one.
    ///
    /// @throws IllegalArgumentException if it is no folder
    public static Folder of(Path root, FolderOptions options, FileCache pages) {
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
    public @Nullable PreparedResponse preparedResponse(RequestHead head, String path) {
        Forms known = forms.get(path);
        HotFile file = known == null ? hot.get(path) : hotForm(known, head, path);
        if (file == null || !isRead(head.method()) || isStored(file, head)) {
            return null;
        }
        return file.answer(head, nanoTime.getAsLong(), recheckNanos);
    }

    /// Whether it is better sent as the page cache stores it, which a worker does.
    private boolean isStored(HotFile file, RequestHead head) {
        return paging != null
                && paging.isStored(file.label(), file.bytes().limit())
                && paging.isTakenBy(tastes.of(head));
    }

    private boolean isStored(Exchange x, Place place) {
        return paging != null
                && paging.isStored(place.label(), place.document().stamp().size())
                && paging.isTakenBy(accepted(x));
    }

    private @Nullable HotFile hotForm(Forms known, RequestHead head, String path) {
        Accepted accepted = tastes.of(head);
        Place form = known.choose(accepted, mayBeMade(accepted));
        if (form == null) {
            return hot.get(path);
        }
        return known.isMade(form) ? packed.get(form.tail()) : hot.get(form.tail());
    }

    private boolean mayBeMade(Accepted accepted) {
        return paging == null || !paging.isTakenBy(accepted);
    }

    /// Answers from disk, by a look at it or by what a look found within the recheck time.
    ///
    /// @throws HttpException 404, 403, 412 if a condition fails, 503 if the file changes so fast
    ///     that no state of it can be sent
    /// @throws IOException if the disk fails, or the client is gone
    /// @throws IllegalArgumentException if the route's pattern has no `{path...}`
    @Override
    public void handle(Exchange x) throws IOException {
        if (!isRead(x.method())) {
            x.status(405).header("Allow", "GET, HEAD").send();
            return;
        }
        String tail = x.pathParam(TAIL);
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
        Search search = search(x, tail);
        return switch (search.found()) {
            case Document document -> {
                String control = cacheControl(search.tail());
                var plain = Label.of(document, timeOfDay).cached(control);
                Place place = place(new Place(search.tail(), document, plain, now));
                places.put(place);
                yield send(x, place);
            }
            case Slashless _ -> {
                forget(tail);
                x.status(301).redirect(x.request().target().withTrailingSlash());
                yield true;
            }
            case Bare folder -> {
                forget(tail);
                Listing.send(x, Entries.of(folder, tail, tree, options.listingMax()));
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

    /// What a search ended with.
    ///
    /// @param tail the path that what was found is held by in memory
    private record Search(String tail, Found found) {}

    /// Looks for the path, then for what may stand for it.
    private Search search(Exchange x, String tail) throws IOException {
        Found found = tree.find(tail);
        if (found instanceof Nothing && tree.isPublic(tail)) {
            for (String attempt : options.tries()) {
                Found other = tree.find(attempt.replace("{path}", tail));
                if (other instanceof Document) {
                    return new Search(tail, other);
                }
            }
            String fallback = options.fallback();
            if (fallback != null && isForPage(x, tail)) {
                return new Search(fallback, tree.find(fallback)); // held once for all paths
            }
        }
        return new Search(tail, found);
    }

    /// Whether a page is asked for, and not a script or picture: for one of those that is
    /// missing, a page with 200 is worse than 404.
    private static boolean isForPage(Exchange x, String tail) {
        String name = tail.substring(tail.lastIndexOf('/') + 1);
        String accept = x.header("Accept");
        return name.indexOf('.') < 0 || accept != null && accept.contains("text/html");
    }

    private @Nullable String cacheControl(String tail) {
        for (CacheRule rule : options.cacheRules()) {
            if (rule.files().matches(tail)) {
                return rule.value().isEmpty() ? null : rule.value();
            }
        }
        return null;
    }

    /// The same place with the forms there are.
    private Place place(Place plain) {
        Forms found = Forms.of(plain, compression);
        long size = plain.document().stamp().size();
        boolean isStored = paging != null && paging.isStored(plain.label(), size);
        if (found.isEmpty()) {
            forgetForms(plain.tail());
            return isStored ? plain.with(plain.label().varied(), Forms.NONE) : plain;
        }
        if (forms.size() >= FORMS_MAX) {
            forms.clear();
        }
        forms.put(plain.tail(), found);
        return plain.with(plain.label().varied(), found);
    }

    private void forget(String tail) {
        places.forget(tail);
        hot.forget(tail);
        forgetForms(tail);
    }

    private void forgetForms(String tail) {
        Forms known = forms.remove(tail);
        if (known == null) {
            return;
        }
        for (Place form : known.all()) {
            if (form != null) {
                hot.forget(form.tail());
                packed.forget(form.tail());
            }
        }
    }

    private boolean send(Exchange x, Place place) throws IOException {
        Place form = form(x, place);
        if (place.forms().isMade(form)) {
            packed.found(form);
            HotFile file = packed.get(form.tail());
            if (file != null && file.is(form.document())) {
                PackedAnswer.send(x, file);
                return true;
            }
            form = place;
        }
        if (!isStored(x, form)) {
            hot.found(form);
        }
        return new FileAnswer(x, form.document(), form.label(), paging).send();
    }

    private Place form(Exchange x, Place place) {
        if (place.forms().isEmpty()) {
            return place;
        }
        Accepted accepted = accepted(x);
        // A part is one of the file as it is, or as it lies beside it: what is made may be other
        // bytes when it is made again.
        boolean mayBeMade = x.header("Range") == null && mayBeMade(accepted);
        Place form = place.forms().choose(accepted, mayBeMade);
        boolean isThere = form != null && form.document().isThere();
        return form != null && isThere ? form : place;
    }

    private static Accepted accepted(Exchange x) {
        return Accepted.of(x.request().headers().first("Accept-Encoding"));
    }

    private static long timeOfDay() {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    }

    private static boolean isRead(String method) {
        return method.equals("GET") || method.equals("HEAD");
    }
}
