package dev.tandem.http.h1;

import dev.tandem.http.Headers;
import dev.tandem.http.MalformedMessage;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Decodes chunked transfer coding (RFC 9112, section 7.1).
///
///     SIZE --line, not 0--> DATA --last byte--> DATA_END --CRLF--> SIZE
///     SIZE --line, 0--> TRAILERS --empty line--> DONE
///     any: malformed, or over a limit --> BAD
public final class ChunkedDecoder implements BodyDecoder {

    private enum State {
        SIZE,
        DATA,
        DATA_END,
        TRAILERS,
        DONE,
        BAD
    }

    private final ChunkLimits limits;
    private final LineBuffer line = new LineBuffer();
    private final ChunkSizeLine chunkLine;
    private final TrailerDecoder trailers;

    private State state = State.SIZE;
    private @Nullable MalformedMessage error;

    /// The remaining bytes of the current chunk.
    private long remaining;

    private long extensionBytes;

    public ChunkedDecoder(Http1Limits limits) {
        this.limits = limits.chunks();
        this.chunkLine = new ChunkSizeLine(limits);
        this.trailers = new TrailerDecoder(limits.heads());
    }

    @Override
    public int decode(ByteBuffer in, byte[] to, int offset, int length) {
        int taken = 0;
        while (in.hasRemaining()) {
            switch (state) {
                case SIZE -> readSize(in);
                case DATA -> {
                    if (taken == length) {
                        return taken;
                    }
                    taken += readData(in, to, offset + taken, length - taken);
                }
                case DATA_END -> readDataEnd(in);
                case TRAILERS -> readTrailer(in);
                case DONE, BAD -> {
                    return taken;
                }
            }
        }
        return taken;
    }

    @Override
    public boolean isDone() {
        return state == State.DONE;
    }

    @Override
    public @Nullable MalformedMessage error() {
        return error;
    }

    @Override
    public Headers trailers() {
        return state == State.DONE ? trailers.headers() : Headers.EMPTY;
    }

    private int readData(ByteBuffer in, byte[] to, int offset, int length) {
        int taken = (int) Math.min(remaining, Math.min(length, in.remaining()));
        in.get(to, offset, taken);
        remaining -= taken;
        if (remaining == 0) {
            state = State.DATA_END;
        }
        return taken;
    }

    private void readSize(ByteBuffer in) {
        switch (line.read(in, limits.lineMax())) {
            case INCOMPLETE -> {}
            case COMPLETE -> size();
            case CONTROL_CHARACTER -> fail(LineScanner.error(line.control()));
            case TOO_LONG ->
                    fail(
                            MalformedMessage.badRequest(
                                    "chunk-size line longer than " + limits.lineMax() + " bytes"));
        }
    }

    private void size() {
        MalformedMessage syntax = chunkLine.parse(line.bytes(), line.length());
        line.clear();
        extensionBytes += chunkLine.extensionLength();
        if (syntax != null) {
            fail(syntax);
        } else if (extensionBytes > limits.extensionsMax()) {
            fail(
                    MalformedMessage.badRequest(
                            "more than " + limits.extensionsMax() + " bytes of chunk extensions"));
        } else {
            remaining = chunkLine.size();
            state = remaining == 0 ? State.TRAILERS : State.DATA;
        }
    }

    private void readDataEnd(ByteBuffer in) {
        switch (line.read(in, 0)) {
            case INCOMPLETE -> {}
            case COMPLETE -> state = State.SIZE;
            case CONTROL_CHARACTER -> fail(LineScanner.error(line.control()));
            case TOO_LONG -> fail(MalformedMessage.badRequest("chunk longer than its size"));
        }
    }

    private void readTrailer(ByteBuffer in) {
        switch (line.read(in, trailers.lineMax())) {
            case INCOMPLETE -> {}
            case COMPLETE -> trailer();
            case CONTROL_CHARACTER -> fail(LineScanner.error(line.control()));
            case TOO_LONG -> fail(trailers.tooLong());
        }
    }

    private void trailer() {
        if (line.length() == 0) {
            state = State.DONE;
            return;
        }
        MalformedMessage error = trailers.add(line.bytes(), line.length());
        line.clear();
        if (error != null) {
            fail(error);
        }
    }

    private void fail(MalformedMessage error) {
        this.error = error;
        state = State.BAD;
    }
}
