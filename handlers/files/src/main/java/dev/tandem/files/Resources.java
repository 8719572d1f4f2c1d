package dev.tandem.files;

import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Serves resources of the class path, such as those in the jar of an application:
/// `get("/assets/{path...}", Resources.of("static"))` sends `static/app.js` for `/assets/app.js`.
/// Thread safe.
///
/// Responds to GET and HEAD, with entity tags and dates, preconditions and ranges (RFC 9110,
/// sections 8.8, 13 and 14). The response to a folder is its `index.html`; without the slash at the
/// end, a 301 to the path with it. Folders are never listed. A client that accepts its coding gets
/// `app.js.br`, `app.js.zst` or `app.js.gz` in place of `app.js`. Missing and hidden paths (with a
/// name that begins with a dot, except `.well-known`) and classes are 404.
///
/// The tag is made of the content, so it is the same on every server and after every start. Content
/// of jars does not change while they are in use: it is read once, held in memory and sent from the
/// event loop ([#HELD_MAX], [#FILE_MAX]). Resources in folders, as during development, are read
/// again when they have changed; links in such a folder are not followed.
public final class Resources implements PreparedResponseHandler {
    /// Maximum number of bytes that one handler holds outside of the heap: 64 MiB, as a [Folder]
    /// does. Others are read from the class path for each request. It holds less where the process
    /// has less memory outside of the heap.
    public static final long HELD_MAX = 64L << 20;

    /// The largest resource that is held, in bytes: 1 MiB. A larger one is read from the class path
    /// for each request, from its begin, also for a range: it belongs in a [Folder].
    public static final int FILE_MAX = 1 << 20;

    /// The parameter that the route's pattern must end with.
    private static final String PATH_PARAMETER = "path";

    private static final String INDEX = "index.html";
    private static final boolean IS_WINDOWS = File.separatorChar == '\\';

    private final ResourceLoader loader;
    private final List<CacheRule> cacheRules;
    private final IntFunction<ByteBuffer> allocator;

    /// By path below the folder. It has resources that exist only, so they bound it.
    private final ConcurrentHashMap<String, ResourceVariants> found = new ConcurrentHashMap<>();

    private final AtomicLong heldBytes = new AtomicLong();

    /// Decreases if the process has less memory.
    private final AtomicLong capacity = new AtomicLong(HELD_MAX);

    private final AcceptedCodingsCache codings = new AcceptedCodingsCache();

    private Resources(
            ResourceLoader loader, List<CacheRule> cacheRules, IntFunction<ByteBuffer> allocator) {
        this.loader = loader;
        this.cacheRules = List.copyOf(cacheRules);
        this.allocator = allocator;
    }

    /// Serves a folder of the class path, by the class loader of the current thread.
    ///
    /// @param folder such as `static` or `META-INF/resources`: everything below it is public
    /// @throws IllegalArgumentException if it is empty or has hidden names
    public static Resources of(String folder) {
        ClassLoader current = Thread.currentThread().getContextClassLoader();
        return of(folder, current == null ? ClassLoader.getSystemClassLoader() : current);
    }

    /// Serves a folder of a class loader.
    ///
    /// @param folder such as `static` or `META-INF/resources`: everything below it is public
    /// @throws IllegalArgumentException if it is empty or has hidden names
    public static Resources of(String folder, ClassLoader loader) {
        return of(folder, loader, ByteBuffer::allocateDirect);
    }

    /// @param allocator returns direct buffers of so many bytes
    static Resources of(String folder, ClassLoader loader, IntFunction<ByteBuffer> allocator) {
        boolean isFolder = !folder.isEmpty() && !folder.endsWith("/");
        // The whole class path has classes, configuration and perhaps passwords.
        if (!isFolder || folder.equals("META-INF") || !PathNames.areVisible(folder, IS_WINDOWS)) {
            throw new IllegalArgumentException(
                    "the folder must be one such as static or META-INF/resources, without a slash"
                            + " at either end, was '"
                            + folder
                            + "'");
        }
        return new Resources(new ResourceLoader(loader, folder), List.of(), allocator);
    }

    /// Returns a handler with values of `Cache-Control`; the first matching rule applies, and
    /// without one there is no header.
    public Resources withCacheRules(List<CacheRule> rules) {
        return new Resources(loader, rules, allocator);
    }

    /// Returns the response from memory, if the resource is held and cannot have changed.
    @Override
    public @Nullable PreparedResponse preparedResponse(RequestHead head, String path) {
        ResourceVariants known = found.get(path);
        if (known == null || !known.isFixed() || !isGetOrHead(head.method())) {
            return null;
        }
        PreparedFile held = known.choose(codings.of(head)).held();
        return held == null ? null : held.response(head);
    }

    /// Responds by the class path.
    ///
    /// @throws HttpException 404; 412 if a precondition fails
    /// @throws IOException if a jar cannot be read, or the client has disconnected
    /// @throws IllegalArgumentException if the route's pattern has no `{path...}`
    @Override
    public void handle(Exchange x) throws IOException {
        if (!isGetOrHead(x.method())) {
            x.status(405).header("Allow", "GET, HEAD").send();
            return;
        }
        String tail = x.pathParam(PATH_PARAMETER);
        ResourceVariants resource = isServed(tail) ? find(tail) : null;
        if (resource != null) {
            String header = x.request().headers().first("Accept-Encoding");
            new ResourceResponse(x, resource.choose(AcceptedCodings.of(header))).send();
        } else if (isServed(tail) && !isIndexed(tail) && find(tail + "/") != null) {
            x.status(301).redirect(x.request().target().withTrailingSlash());
        } else {
            throw new HttpException(404, "there is no such file");
        }
    }

    private static boolean isGetOrHead(String method) {
        return method.equals("GET") || method.equals("HEAD");
    }

    private static boolean isServed(String tail) {
        return PathNames.areVisible(tail, IS_WINDOWS) && !tail.endsWith(".class");
    }

    private static boolean isIndexed(String tail) {
        return tail.isEmpty() || tail.endsWith("/");
    }

    private @Nullable ResourceVariants find(String tail) throws IOException {
        ResourceVariants known = found.get(tail);
        if (known != null && known.isCurrent()) {
            return known;
        }
        String name = isIndexed(tail) ? tail + INDEX : tail;
        int heldMax = (int) Math.min(FILE_MAX, Math.max(0, capacity.get() - heldBytes.get()));
        ResourceVariants read =
                ResourceVariants.read(loader, name, cacheControl(name), heldMax, this::copy);
        ResourceVariants before = read == null ? found.remove(tail) : found.put(tail, read);
        heldBytes.addAndGet(heldBytes(read) - heldBytes(before));
        return read;
    }

    private @Nullable ByteBuffer copy(byte[] content) {
        try {
            return allocator.apply(content.length).put(content).flip();
        } catch (OutOfMemoryError _) {
            // A response from the class path needs no memory outside of the heap.
            shrink();
            return null;
        }
    }

    /// Halves the capacity, as [ClockEviction#shrink()] does, and forgets what is held beyond it.
    private void shrink() {
        long most = capacity.updateAndGet(before -> before / 2);
        for (Map.Entry<String, ResourceVariants> each : found.entrySet()) {
            long size = each.getValue().heldBytes();
            if (size > 0
                    && heldBytes.get() > most
                    && found.remove(each.getKey(), each.getValue())) {
                heldBytes.addAndGet(-size);
            }
        }
    }

    private static long heldBytes(@Nullable ResourceVariants variants) {
        return variants == null ? 0 : variants.heldBytes();
    }

    private @Nullable String cacheControl(String name) {
        for (CacheRule rule : cacheRules) {
            if (rule.files().matches(name)) {
                return rule.value().isEmpty() ? null : rule.value();
            }
        }
        return null;
    }
}
