package dev.tandem.server;

import dev.tandem.http.KnownHeader;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h1.RequestHeadDecoder;
import dev.tandem.http.h1.ResponseHeadWriter;
import dev.tandem.net.IoBuffer;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a thread needs to serve whichever connection it has at the moment: buffers, a decoder, a
/// writer. Connections own none of it, so an idle one costs no buffer. Confined to its thread.
final class IoContext {
    /// 32 KiB: a worker sends one answer at a time, and there are many workers.
    static final int WORKER_BUFFER = 32_768;

    private static final int LOOP_TARGETS = 1024;

    /// A worker decodes only what was pipelined.
    private static final int WORKER_TARGETS = 16;

    private final Engine engine;
    private final IoBuffer input;
    private final IoBuffer output;
    private final byte[] bytes;
    private final int targets;
    private final ResponseHeadWriter headWriter = new ResponseHeadWriter();
    private final DateLine date = new DateLine();

    /// What requests of each site led to; most servers have few sites.
    private final Map<Site, TargetCache> caches = new IdentityHashMap<>(2);

    private @Nullable Site lastSite;
    private @Nullable TargetCache lastCache;

    /// The host that was asked for last, and whose it is by `hosts`.
    private String lastHost = "";

    private @Nullable Site lastNamed;
    private Hosts hosts;

    private RequestHeadDecoder decoder;

    /// Written by this thread, looked at by whoever asks what runs now: a moment old, perhaps.
    private @Nullable Http1Exchange running;

    /// When the answer of what runs began; 0 if it has not, or nobody records it.
    private long answeredNanos;

    private IoContext(Engine engine, IoBuffer input, int output, byte[] bytes, int targets) {
        this.engine = engine;
        this.input = input;
        this.output = new IoBuffer(output);
        this.bytes = bytes;
        this.targets = targets;
        this.hosts = engine.hosts();
        this.decoder = new RequestHeadDecoder(engine.options().head());
    }

    /// A loop's: reads whole inputs, with what is left of a head before them.
    static IoContext ofLoop(Engine engine, IoBuffer input) {
        var bytes = new byte[input.bytes().capacity() + engine.options().head().headMax()];
        return new IoContext(engine, input, engine.options().loopBuffer(), bytes, LOOP_TARGETS);
    }

    static IoContext ofWorker(Engine engine) {
        return ofWorker(engine, WORKER_BUFFER);
    }

    /// What a thread that has a loop needs for exchanges.
    static IoContext ofLoopThread(Engine engine) {
        return ofWorker(engine, Math.min(WORKER_BUFFER, engine.options().loopBuffer()));
    }

    private static IoContext ofWorker(Engine engine, int buffer) {
        return new IoContext(engine, new IoBuffer(buffer), buffer, new byte[0], WORKER_TARGETS);
    }

    /// Whether it is a loop's, which answers many at once and must not wait.
    boolean isLoops() {
        return bytes.length > 0;
    }

    Engine engine() {
        return engine;
    }

    /// This thread runs the exchange; null: nothing any more.
    void runs(@Nullable Http1Exchange x) {
        running = x;
        answeredNanos = 0;
    }

    void answers(long nanos) {
        answeredNanos = nanos;
    }

    long answeredNanos() {
        return answeredNanos;
    }

    /// What this thread runs, seen from any thread.
    @Nullable Http1Exchange running() {
        return running;
    }

    /// Where input is read into.
    IoBuffer input() {
        return input;
    }

    /// Where output is gathered; between answers it is empty, with its position at 0.
    IoBuffer output() {
        return output;
    }

    /// The loop's input on the heap, where decoding is fastest.
    byte[] bytes() {
        return bytes;
    }

    /// The site that a request's Host field names.
    Site site(Http1RequestHead head) {
        Hosts now = engine.hosts();
        if (now != hosts) {
            begin(now);
        }
        if (now.isSingle()) {
            return now.fallback();
        }
        Site known = lastNamed;
        if (known == null || !head.isExactly(KnownHeader.HOST, lastHost)) {
            lastHost = head.host();
            known = now.named(lastHost);
            lastNamed = known;
        }
        return known;
    }

    /// There are other sites from now on.
    private void begin(Hosts now) {
        hosts = now;
        caches.clear();
        lastSite = null;
        lastCache = null;
        lastNamed = null;
    }

    TargetCache targets(Site site) {
        TargetCache known = lastCache;
        if (known == null || site != lastSite) {
            known = caches.computeIfAbsent(site, _ -> new TargetCache(targets));
            lastSite = site;
            lastCache = known;
        }
        return known;
    }

    ResponseHeadWriter headWriter() {
        return headWriter;
    }

    /// The `Date` line of this second.
    byte[] dateLine() {
        return date.line();
    }

    /// A decoder that is at a head's beginning.
    RequestHeadDecoder decoder() {
        return decoder;
    }

    /// Lets a connection keep the decoder, with the head that is incomplete in it.
    RequestHeadDecoder giveDecoderAway() {
        RequestHeadDecoder given = decoder;
        decoder = new RequestHeadDecoder(engine.options().head());
        return given;
    }
}
