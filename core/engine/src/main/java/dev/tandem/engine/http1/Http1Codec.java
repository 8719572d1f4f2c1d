package dev.tandem.engine.http1;

import dev.tandem.engine.ContextKey;
import dev.tandem.engine.Engine;
import dev.tandem.engine.IoContext;
import dev.tandem.http.h1.RequestHeadDecoder;
import dev.tandem.http.h1.ResponseHeadWriter;

/// State of a thread for HTTP/1.1, in addition to its buffers: a decoder and a writer of heads, and
/// a cache of request lines. Confined to its thread's [IoContext].
final class Http1Codec {
    private static final ContextKey<Http1Codec> KEY = ContextKey.of(Http1Codec.class);

    /// Number of request lines that a loop caches for each site.
    private static final int LOOP_TARGETS = 1024;

    /// A worker decodes only what was pipelined.
    private static final int WORKER_TARGETS = 16;

    private final Engine engine;
    private final Http1Resolver resolver;
    private final ResponseHeadWriter headWriter = new ResponseHeadWriter();
    private RequestHeadDecoder decoder;

    private Http1Codec(Engine engine, int targets) {
        this.engine = engine;
        this.resolver = new Http1Resolver(engine, targets);
        this.decoder = new RequestHeadDecoder(engine.http1Limits());
    }

    /// Returns the codec of the context's thread, which is created at the first call.
    static Http1Codec of(IoContext context, Engine engine) {
        Http1Codec known = context.get(KEY);
        if (known == null) {
            known = new Http1Codec(engine, context.isLoop() ? LOOP_TARGETS : WORKER_TARGETS);
            context.put(KEY, known);
        }
        return known;
    }

    Http1Resolver resolver() {
        return resolver;
    }

    /// Returns the writer for heads; its content is valid until it is used for the next head.
    ResponseHeadWriter headWriter() {
        return headWriter;
    }

    /// Returns a decoder that is at the beginning of a head.
    RequestHeadDecoder decoder() {
        return decoder;
    }

    /// Hands the decoder over to a connection, with the incomplete head in it.
    RequestHeadDecoder giveDecoderAway() {
        RequestHeadDecoder given = decoder;
        decoder = new RequestHeadDecoder(engine.http1Limits());
        return given;
    }
}
