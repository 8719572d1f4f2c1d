package dev.tandem.http.h1;

import dev.tandem.http.Headers;
import dev.tandem.http.MalformedMessage;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Decodes a body whose length is specified in the head.
public final class FixedLengthDecoder implements BodyDecoder {
    private long remaining;

    /// @param length in bytes, at least 0
    public FixedLengthDecoder(long length) {
        if (length < 0) {
            throw new IllegalArgumentException("length must be at least 0, was " + length);
        }
        remaining = length;
    }

    @Override
    public int decode(ByteBuffer in, byte[] to, int offset, int length) {
        int taken = (int) Math.min(remaining, Math.min(length, in.remaining()));
        in.get(to, offset, taken);
        remaining -= taken;
        return taken;
    }

    @Override
    public boolean isDone() {
        return remaining == 0;
    }

    /// Returns null: any bytes are a valid body.
    @Override
    public @Nullable MalformedMessage error() {
        return null;
    }

    @Override
    public Headers trailers() {
        return Headers.EMPTY;
    }
}
