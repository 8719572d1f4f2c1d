package dev.tandem.engine.http1;

import dev.tandem.engine.Engine;
import dev.tandem.engine.IoContext;

/// State that the HTTP/1.1 connections of one event loop share. Confined to the loop, except
/// `engine`.
///
/// @param bytes the loop's input on the heap, where decoding is fastest: holds a whole input,
///     preceded by the rest of an incomplete head
public record Http1Loop(Engine engine, IoContext context, Http1Codec codec, byte[] bytes) {

    /// @param context the loop's
    public static Http1Loop of(Engine engine, IoContext context) {
        int size = context.input().bytes().capacity() + engine.options().limits().heads().headMax();
        return new Http1Loop(engine, context, Http1Codec.of(context, engine), new byte[size]);
    }
}
