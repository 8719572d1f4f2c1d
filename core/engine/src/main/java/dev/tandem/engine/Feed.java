package dev.tandem.engine;

import dev.tandem.AccessLog;
import dev.tandem.engine.site.RouteCounts;
import dev.tandem.http.Body;
import dev.tandem.http.HttpVersion;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A response that outlives its handler, since another component supplies its
/// content ([Body.Feed]). Counted and logged when it is over.
///
/// Confined to the loop of its connection, except [#end(boolean)], which any thread may call.
public final class Feed {

    /// What is known of it when it begins.
    ///
    /// @param logged null if there is no access log
    record Begun(
            Engine engine,
            RouteCounts counts,
            String method,
            HttpVersion version,
            boolean isSecure,
            int status,
            long beginNanos,
            @Nullable AccessLog log,
            AccessLog.@Nullable Entry logged) {

        private int kind() {
            return RequestKind.of(method, isSecure);
        }
    }

    /// What only this client gets; null when it was taken.
    private byte @Nullable [] first;

    private final Body.FeedSource source;
    private final Begun begun;
    private final long silenceMaxNanos;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private long bodyBytes;

    Feed(byte[] first, Body.FeedSource source, Begun begun) {
        this.first = first;
        this.source = source;
        this.begun = begun;
        this.silenceMaxNanos = source.silenceMaxNanos();
        begun.engine().feeds().opened(begun.kind());
    }

    /// Content can be sent from now on.
    public void begin(Body.FeedOutput to) {
        source.begin(to);
    }

    /// Returns what only this client gets, which is to be sent before all else, and removes it.
    /// Called once; the thread that begins the response may call it, too.
    public byte[] takeFirst() {
        byte[] taken = Objects.requireNonNull(first);
        first = null;
        bodyBytes += taken.length;
        return taken;
    }

    /// Returns the next piece of content, which must not be changed; null if there is none now.
    public byte @Nullable [] next() {
        byte[] next = source.next();
        bodyBytes += next == null ? 0 : next.length;
        return next;
    }

    /// Returns content without a meaning, for a client that was sent nothing for long.
    public byte[] filler() {
        byte[] filler = source.filler();
        bodyBytes += filler.length;
        return filler;
    }

    /// Returns after what time without content [#filler()] is sent; [Long#MAX_VALUE] for never.
    public long silenceMaxNanos() {
        return silenceMaxNanos == 0 ? Long.MAX_VALUE : silenceMaxNanos;
    }

    /// Whether the content ends with what was returned.
    public boolean isComplete() {
        return source.isOver();
    }

    /// No content follows what is there now.
    public void drain() {
        source.end();
    }

    /// Whether the client is to be disconnected, as it accepts too little; then counts it.
    public boolean isTooFarBehind() {
        return source.isTooFarBehind();
    }

    /// The client was too slow, and is disconnected.
    public void endSlow() {
        if (end(true)) {
            begun.engine().feeds().slow();
        }
    }

    /// The response is over.
    ///
    /// @param isBroken whether for another reason than that it is complete or the client has
    ///     disconnected
    /// @return false if it was over already
    public boolean end(boolean isBroken) {
        if (isOver.getAndSet(true)) {
            return false;
        }
        begun.engine().feeds().closed(begun.kind());
        try {
            source.close();
        } finally {
            record(isBroken);
        }
        return true;
    }

    private void record(boolean isBroken) {
        long nanos = System.nanoTime() - begun.beginNanos();
        begun.counts()
                .responded(
                        begun.method(),
                        begun.version(),
                        begun.isSecure(),
                        isBroken ? RouteCounts.INCOMPLETE : begun.status(),
                        nanos);
        AccessLog.Entry e = begun.logged();
        if (begun.log() != null && e != null) {
            begun.log().log(
                    new AccessLog.Entry(
                            e.id(),
                            e.remote(),
                            e.isSecure(),
                            e.method(),
                            e.target(),
                            e.version(),
                            e.streamId(),
                            e.status(),
                            bodyBytes,
                            nanos,
                            e.fields()));
        }
    }
}
