package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.FileLookup.Forbidden;
import dev.tandem.files.FileLookup.ListableFolder;
import dev.tandem.files.FileLookup.NotFound;
import dev.tandem.files.ResolvedFiles.ResolvedFile;
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

/// Serves the files below a folder: `get("/{path...}", Folder.of(root))`. Thread safe.
///
/// Responds to GET and HEAD, with entity tags and dates, preconditions and ranges (RFC 9110,
/// sections 8.8, 13 and 14). Small files that are requested often are sent from memory on the event
/// loop. The response to a folder is its index file; without the slash at the end, a 301 to the
/// path with it; without an index file, a listing, if [FolderOptions#listingMax()] allows. Clients
/// that accept them get compressed variants ([Compression]). Paths that are missing, hidden (a name
/// that begins with a dot, except `.well-known`), neither file nor folder, or outside of the root
/// (by any encoding or link) are 404. Files that the server's user may not read are 403.
///
/// A response never begins with bytes of a file that has changed since its head was written.
/// Changes are detected by size and modification time, so a file should not be replaced by one of
/// the same size and the same time to the nanosecond.
public final class Folder implements PreparedResponseHandler {

    /// The parameter that the route's pattern must end with.
    private static final String PATH_PARAMETER = "path";

    /// Maximum number of attempts if a file changes between its look-up and its opening, which are
    /// at intervals of some 50 microseconds.
    private static final int ATTEMPTS_MAX = 5;

    /// Maximum number of paths with variants; some 10 MB. When it is reached, all are removed:
    /// those in use are soon found again.
    private static final int VARIANTS_MAX = 16_384;

    private final FolderOptions options;

    /// Compression on demand by the folder, as opposed to the cache.
    private final Compression compression;

    private final FileTree tree;
    private final ResolvedFiles resolved;
    private final InMemoryFiles inMemory;

    /// Files compressed on demand, by their variants' names.
    private final InMemoryFiles compressed;

    /// The variants of paths that have more than one.
    private final ConcurrentHashMap<String, Variants> variants = new ConcurrentHashMap<>();

    private final AcceptedCodingsCache codings = new AcceptedCodingsCache();
    private final long recheckNanos;
    private final LongSupplier nanoTime;
    private final LongSupplier timeOfDayNanos;

    /// Source of content that is not in memory; null: the kernel.
    private final @Nullable FolderCache cache;

    private Folder(
            Path root,
            FolderOptions options,
            @Nullable FileCache pages,
            LongSupplier nanoTime,
            LongSupplier timeOfDay) {
        this.options = options;
        this.cache = pages == null ? null : FolderCache.of(pages, options.compression());
        this.compression = cache == null ? options.compression() : cache.withoutStoredCoding();
        this.tree = new FileTree(root, options);
        Compressors.load(options.compression().onDemand());
        if (pages != null) {
            Compressors.log(options.compression().onDemand(), pages);
        }
        this.recheckNanos = options.recheck().toNanos();
        this.resolved = new ResolvedFiles(recheckNanos);
        // Without a recheck time every request reads the disk, so nothing is held in memory.
        long cacheBytes = recheckNanos == 0 ? 0 : options.cacheBytes();
        this.inMemory =
                new InMemoryFiles(
                        cacheBytes, options.cacheFileMax(), countedLoader(InMemoryFile::load));
        long compressedBytes = recheckNanos == 0 ? 0 : compression.cacheBytes();
        this.compressed =
                new InMemoryFiles(
                        compressedBytes,
                        compression.fileMax(),
                        countedLoader(new FileCompressor(compression.onDemand())::load));
        this.nanoTime = nanoTime;
        this.timeOfDayNanos = timeOfDay;
    }

    private InMemoryFiles.Loader countedLoader(InMemoryFiles.Loader loader) {
        return cache == null ? loader : cache.countedLoader(loader);
    }

    /// Serves `root` with [FolderOptions#DEFAULT].
    ///
    /// @throws IllegalArgumentException if it is not a folder
    public static Folder of(Path root) {
        return of(root, FolderOptions.DEFAULT);
    }

    /// Serves `root`. If it is a link to a folder, each request uses the folder that it points to
    /// at that time.
    ///
    /// @throws IllegalArgumentException if it is not a folder
    public static Folder of(Path root, FolderOptions options) {
        return new Folder(root, options, null, System::nanoTime, Folder::timeOfDay);
    }

    /// Serves `root`; content that is not in memory comes from the cache ([FileCache#open(long)]).
    /// Several folders may share it; the caller closes it, after the server. Files that it can send
    /// as stored are not compressed again: of [Compression#onDemand()], only the other codings are
    /// produced here, for clients that do not accept that one.
    ///
    /// @throws IllegalArgumentException if it is not a folder
    public static Folder of(Path root, FolderOptions options, FileCache cache) {
        return new Folder(root, options, cache, System::nanoTime, Folder::timeOfDay);
    }

    /// Serves `root` with the given clocks.
    ///
    /// @param nanoTime as [System#nanoTime()]
    /// @param timeOfDay in nanoseconds since 1970-01-01T00:00Z
    static Folder of(
            Path root, FolderOptions options, LongSupplier nanoTime, LongSupplier timeOfDay) {
        return new Folder(root, options, null, nanoTime, timeOfDay);
    }

    /// Returns the response from memory, if the file is held and was checked recently.
    @Override
    public @Nullable PreparedResponse preparedResponse(RequestHead head, String path) {
        Variants known = variants.get(path);
        InMemoryFile file = known == null ? inMemory.get(path) : inMemoryVariant(known, head, path);
        if (file == null || !isGetOrHead(head.method()) || isStored(file, head)) {
            return null;
        }
        return file.response(head, nanoTime.getAsLong(), recheckNanos);
    }

    /// Returns whether the file should be sent as the cache stores it, by a worker.
    private boolean isStored(InMemoryFile file, RequestHead head) {
        return cache != null
                && cache.isSendableAsStored(file.metadata(), file.bytes().limit())
                && cache.isAcceptedBy(codings.of(head));
    }

    private boolean isStored(Exchange x, ResolvedFile file) {
        return cache != null
                && cache.isSendableAsStored(file.metadata(), file.document().stamp().size())
                && cache.isAcceptedBy(acceptedCodings(x));
    }

    private @Nullable InMemoryFile inMemoryVariant(Variants known, RequestHead head, String path) {
        AcceptedCodings accepted = codings.of(head);
        ResolvedFile variant = known.choose(accepted, allowsOnDemand(accepted));
        if (variant == null) {
            return inMemory.get(path);
        }
        return known.isOnDemand(variant)
                ? compressed.get(variant.tail())
                : inMemory.get(variant.tail());
    }

    private boolean allowsOnDemand(AcceptedCodings accepted) {
        return cache == null || !cache.isAcceptedBy(accepted);
    }

    /// Responds from disk, by a new look-up or one within the recheck time.
    ///
    /// @throws HttpException 404, 403, 412 if a precondition fails, 503 if the file changes too
    ///     often to send any state of it
    /// @throws IOException if the disk fails, or the client has disconnected
    /// @throws IllegalArgumentException if the route's pattern has no `{path...}`
    @Override
    public void handle(Exchange x) throws IOException {
        if (!isGetOrHead(x.method())) {
            x.status(405).header("Allow", "GET, HEAD").send();
            return;
        }
        String tail = x.pathParam(PATH_PARAMETER);
        ResolvedFile known = resolved.get(tail, nanoTime.getAsLong());
        boolean isSent = known != null && known.document().isUnchanged() && send(x, known);
        for (int attempts = 0; !isSent; attempts++) {
            if (attempts == ATTEMPTS_MAX) {
                throw new HttpException(503, "this file changes too often");
            }
            isSent = resolveAndSend(x, tail);
        }
    }

    /// Looks the path up on disk and responds.
    ///
    /// @return as [FileResponse#send()]
    private boolean resolveAndSend(Exchange x, String tail) throws IOException {
        long now = nanoTime.getAsLong();
        long timeOfDay = timeOfDayNanos.getAsLong();
        LookupResult search = lookUp(x, tail);
        if (search.found() instanceof Document document) {
            String control = cacheControl(search.tail());
            var plain = FileMetadata.of(document, timeOfDay).withCacheControl(control);
            if (search.tail().equals(options.fallback())) {
                plain = plain.withVaryByAccept();
            }
            ResolvedFile file = withVariants(new ResolvedFile(search.tail(), document, plain, now));
            resolved.put(file);
            return send(x, file);
        }
        remove(tail);
        sendNoFile(x, tail, search.found());
        return true;
    }

    private void sendNoFile(Exchange x, String tail, FileLookup found) throws IOException {
        if (found instanceof NotFound) {
            throw new HttpException(404, "there is no such file");
        } else if (found instanceof Forbidden) {
            throw new HttpException(403, "this file may not be read");
        } else if (found instanceof ListableFolder folder) {
            Listing.send(x, FolderEntries.of(folder, tail, tree, options.listingMax()));
        } else {
            x.status(301).redirect(x.request().target().withTrailingSlash());
        }
    }

    /// The result of a look-up.
    ///
    /// @param tail the path under which the file is held in memory
    private record LookupResult(String tail, FileLookup found) {}

    /// Looks up the path, then its fallbacks.
    private LookupResult lookUp(Exchange x, String tail) throws IOException {
        FileLookup found = tree.find(tail);
        if (found instanceof NotFound && tree.isVisible(tail)) {
            for (String attempt : options.tryFiles()) {
                FileLookup other = tree.find(attempt.replace("{path}", tail));
                if (other instanceof Document) {
                    boolean isSameForAll = !attempt.contains("{path}"); // and held only once
                    return new LookupResult(isSameForAll ? attempt : tail, other);
                }
            }
            String fallback = options.fallback();
            if (fallback != null && isPageRequest(x, tail)) {
                return new LookupResult(
                        fallback, tree.find(fallback)); // held only once for all paths
            }
        }
        return new LookupResult(tail, found);
    }

    /// Returns whether a page is requested, not a script or picture: for a missing one of those, a
    /// page with 200 is worse than 404. So the fallback page varies by `Accept`: a shared cache
    /// must not have it for a script that is missing now.
    private static boolean isPageRequest(Exchange x, String tail) {
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

    /// Returns the same file with its variants.
    private ResolvedFile withVariants(ResolvedFile plain) {
        Variants found = Variants.of(plain, compression);
        long size = plain.document().stamp().size();
        boolean isStored = cache != null && cache.isSendableAsStored(plain.metadata(), size);
        if (found.isEmpty()) {
            removeVariants(plain.tail());
            return isStored ? plain.with(plain.metadata().withVary(), Variants.NONE) : plain;
        }
        Variants earlier = variants.get(plain.tail());
        if (earlier != null) {
            found.inherit(earlier);
        }
        if (variants.size() >= VARIANTS_MAX) {
            variants.clear();
        }
        variants.put(plain.tail(), found);
        return plain.with(plain.metadata().withVary(), found);
    }

    private void remove(String tail) {
        resolved.remove(tail);
        inMemory.remove(tail);
        removeVariants(tail);
    }

    private void removeVariants(String tail) {
        Variants known = variants.remove(tail);
        if (known == null) {
            return;
        }
        for (ResolvedFile variant : known.all()) {
            if (variant != null) {
                inMemory.remove(variant.tail());
                compressed.remove(variant.tail());
            }
        }
    }

    private boolean send(Exchange x, ResolvedFile plain) throws IOException {
        ResolvedFile variant = chooseVariant(x, plain);
        if (plain.variants().isOnDemand(variant)) {
            compressed.update(variant);
            InMemoryFile file = compressed.get(variant.tail());
            if (file != null && file.isSameAs(variant.document())) {
                CompressedResponse.send(x, file);
                return true;
            }
            variant = plain;
        }
        if (!isStored(x, variant)) {
            inMemory.update(variant);
        }
        return new FileResponse(x, variant.document(), variant.metadata(), cache).send();
    }

    private ResolvedFile chooseVariant(Exchange x, ResolvedFile file) {
        if (file.variants().isEmpty()) {
            return file;
        }
        AcceptedCodings accepted = acceptedCodings(x);
        // A range is of the uncompressed or precompressed file: compression on demand may give
        // other bytes the next time.
        boolean allowsOnDemand = x.header("Range") == null && allowsOnDemand(accepted);
        ResolvedFile variant = file.variants().choose(accepted, allowsOnDemand);
        boolean isThere = variant != null && variant.document().isUnchanged();
        return variant != null && isThere ? variant : file;
    }

    private static AcceptedCodings acceptedCodings(Exchange x) {
        return AcceptedCodings.of(x.request().headers().first("Accept-Encoding"));
    }

    private static long timeOfDay() {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    }

    private static boolean isGetOrHead(String method) {
        return method.equals("GET") || method.equals("HEAD");
    }
}
