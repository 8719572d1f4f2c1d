package dev.tandem.tomcat;

import dev.tandem.Gauge;
import dev.tandem.Tandem;
import dev.tandem.files.FileCache;
import dev.tandem.files.FileState;
import dev.tandem.http.Accept;
import dev.tandem.http.Body;
import dev.tandem.http.HttpDate;
import java.io.IOException;
import java.util.Enumeration;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.http.MimeHeaders;
import org.apache.tomcat.util.http.ResponseUtil;
import org.jspecify.annotations.Nullable;

/// Takes the bytes of files from a file cache. Catalina has decided by then which file a response
/// sends, and which part of it; the only thing decided here is whether the client gets the whole
/// file as the cache stores it. Safe for use by any thread.
///
/// @param cache not closed here
/// @param protocol has the types and the size from which files have a stored form
record CachedFiles(FileCache cache, AbstractHttp11Protocol<?> protocol) {
    private static final String CONTENT_ENCODING = "Content-Encoding";
    private static final String CONTENT_RANGE = "Content-Range";
    private static final String ETAG = "ETag";

    /// The tag that Catalina gives to a file: its size, and when it was modified in milliseconds.
    private static final Pattern CATALINAS_TAG = Pattern.compile("W/\"[0-9]+-[0-9]+\"");

    /// What a response sends.
    ///
    /// @param isWholeFile and not as it is stored
    record Opened(Body.Segmented content, boolean isWholeFile) {}

    /// Adds the cache's gauges to a server that is not bound yet.
    void addGauges(Tandem tandem) {
        for (FileCache.Figure figure : cache.figures()) {
            tandem.gauge(new Gauge("page_cache", figure.name(), figure.help(), figure.value()));
        }
    }

    /// Opens the content of a response, and changes the headers if it is the stored form. Reads the
    /// first bytes, so that errors occur before the head is sent.
    ///
    /// @return its content is closed by the caller, or by whatever sends it
    /// @throws IOException if the file is missing or cannot be read, or does not have the bytes
    ///     that the headers announce
    Opened open(FileRange named, Request request, Response response) throws IOException {
        long now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        FileState state = FileState.of(named.path());
        FileRange range = fitted(named, state, response);
        FileCache.Content file =
                state.isStable(now)
                        ? cache.open(range.path(), state)
                        : FileCache.uncached(range.path(), state);
        boolean isReturned = false;
        try {
            boolean isWhole =
                    response.getStatus() == 200
                            && range.offset() == 0
                            && range.length() == state.size();
            if (isWhole && hasStoredForm(state.size(), response)) {
                FileCache.Stored stored = stored(file, state.size(), request, response);
                if (stored != null) {
                    return new Opened(stored.whole(), false);
                }
            }
            file.prepare(range.offset(), range.length());
            isReturned = true;
            return new Opened(file.range(range.offset(), range.length()), isWhole);
        } finally {
            if (!isReturned) {
                file.close();
            }
        }
    }

    /// Returns what is sent of a file in a state. Catalina remembers for 5 s what it knows of a
    /// file: if it has changed since, it is sent as a whole, with headers as Catalina will set
    /// soon.
    private static FileRange fitted(FileRange named, FileState state, Response response)
            throws IOException {
        MimeHeaders headers = response.getMimeHeaders();
        var whole = new FileRange(named.path(), 0, state.size());
        if (response.getStatus() >= 400 && named.offset() == 0) {
            response.setContentLength(state.size()); // an error page, which has no tag
            return whole;
        }
        String tag = headers.getHeader(ETAG);
        boolean isCatalinas =
                tag != null
                        && headers.getHeader(CONTENT_ENCODING) == null
                        && CATALINAS_TAG.matcher(tag).matches();
        long millis = TimeUnit.NANOSECONDS.toMillis(state.modifiedNanos());
        String current = "W/\"" + state.size() + '-' + millis + '"';
        boolean isWithin = named.length() <= state.size() - named.offset();
        if (isCatalinas ? current.equals(tag) && fits(named, state, response) : isWithin) {
            return named;
        }
        if (!isCatalinas) {
            throw new IOException("the file has changed: " + named.path());
        }
        response.setStatus(200);
        response.setContentLength(state.size());
        headers.removeHeader(CONTENT_RANGE);
        headers.setValue(ETAG).setString(current);
        headers.setValue("Last-Modified")
                .setString(HttpDate.format(TimeUnit.MILLISECONDS.toSeconds(millis)));
        return whole;
    }

    /// Returns whether a range is of a file of this size. Catalina looks at the file once for the
    /// tag and once for the range, so that a file replaced in between has the tag of the new
    /// version and the length of the old one.
    private static boolean fits(FileRange named, FileState state, Response response) {
        String range = response.getMimeHeaders().getHeader(CONTENT_RANGE);
        return range == null
                ? named.offset() == 0 && named.length() == state.size()
                : range.endsWith("/" + state.size())
                        && named.length() <= state.size() - named.offset();
    }

    /// As Tomcat decides for its own compression.
    private boolean hasStoredForm(long size, Response response) {
        String type = response.getContentType();
        if (cache.coding() == null
                || type == null
                || size < protocol.getCompressionMinSize()
                || response.getMimeHeaders().getHeader(CONTENT_ENCODING) != null) {
            return false;
        }
        for (String each : protocol.getCompressibleMimeTypes()) {
            if (type.startsWith(each)) {
                return true;
            }
        }
        return false;
    }

    private FileCache.@Nullable Stored stored(
            FileCache.Content file, long size, Request request, Response response) {
        MimeHeaders headers = response.getMimeHeaders();
        ResponseUtil.addVaryFieldName(headers, "accept-encoding");
        String coding = Objects.requireNonNull(cache.coding());
        FileCache.Stored stored = accepts(request, coding) ? file.stored() : null;
        if (stored == null) {
            return null;
        }
        if (!stored.isWorthSending(size)) {
            stored.close();
            return null;
        }
        headers.setValue(CONTENT_ENCODING).setString(coding);
        weaken(headers);
        response.setContentLength(stored.length());
        return stored;
    }

    private static boolean accepts(Request request, String coding) {
        Enumeration<String> fields = request.getMimeHeaders().values("Accept-Encoding");
        if (!fields.hasMoreElements()) {
            return false;
        }
        var joined = new StringJoiner(",");
        fields.asIterator().forEachRemaining(joined::add);
        String accepted = joined.toString();
        int weight = Accept.codingWeight(accepted, coding);
        return weight > 0 && weight >= Accept.codingWeight(accepted, "identity");
    }

    /// The stored form has other bytes than the file: as with Tomcat's own compression, both have
    /// the same tag, which therefore is weak, so that conditional requests work with either.
    private static void weaken(MimeHeaders headers) {
        String tag = headers.getHeader(ETAG);
        if (tag != null && !tag.startsWith("W/")) {
            headers.setValue(ETAG).setString("W/" + tag);
        }
    }
}
