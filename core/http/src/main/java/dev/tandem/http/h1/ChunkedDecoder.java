package dev.tandem.http.h1;

import dev.tandem.http.Headers;
import dev.tandem.http.MalformedMessage;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A body in chunks (RFC 9112, section 7.1).
///
///     SIZE --line, not 0--> DATA --last byte--> DATA_END --CRLF--> SIZE
///     SIZE --line, 0--> TRAILERS --empty line--> DONE
///     each: wrong, or over a limit --> BAD
public final class ChunkedDecoder implements BodyDecoder {

    private enum State {
        SIZE,
        DATA,
        DATA_END,
        TRAILERS,
        DONE,
        BAD
    }

    private final Http1Limits limits;
    private final LineBuffer line = new LineBuffer();
    private final ChunkSizeLine chunkLine;
    private final TrailerDecoder trailers;

    private State state = State.SIZE;
    private @Nullable MalformedMessage error;

    /// What of the current chunk is still to come, in bytes.
    private long remaining;

    private long extensionBytes;

    public ChunkedDecoder(Http1Limits limits) {
        this.limits = limits;
        this.chunkLine = new ChunkSizeLine(limits);
        this.trailers = new TrailerDecoder(limits);
    }

    @Override
    public int decode(ByteBuffer in, byte[] to, int offset, int length) {
        int taken = 0;
        while (in.hasRemaining()) {
            switch (state) {
                case SIZE -> takeSize(in);
                case DATA -> {
                    if (taken == length) {
                        return taken;
                    }
                    taken += takeData(in, to, offset + taken, length - taken);
                }
                case DATA_END -> takeDataEnd(in);
                case TRAILERS -> takeTrailer(in);
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

    private int takeData(ByteBuffer in, byte[] to, int offset, int length) {
        int taken = (int) Math.min(remaining, Math.min(length, in.remaining()));
        in.get(to, offset, taken);
        remaining -= taken;
        if (remaining == 0) {
            state = State.DATA_END;
        }
        return taken;
    }

    private void takeSize(ByteBuffer in) {
        switch (line.read(in, limits.chunkLineMax())) {
            case INCOMPLETE -> {}
            case COMPLETE -> size();
            case CONTROL_CHARACTER -> refuse(LineScanner.error(line.control()));
            case TOO_LONG ->
                    refuse(
                            MalformedMessage.badRequest(
                                    "chunk-size line longer than "
                                            + limits.chunkLineMax()
                                            + " bytes"));
        }
    }

    private void size() {
        MalformedMessage syntax = chunkLine.parse(line.bytes(), line.length());
        line.clear();
        extensionBytes += chunkLine.extensionLength();
        if (syntax != null) {
            refuse(syntax);
        } else if (extensionBytes > limits.chunkExtensionsMax()) {
            refuse(
                    MalformedMessage.badRequest(
                            "more than "
                                    + limits.chunkExtensionsMax()
                                    + " bytes of chunk extensions"));
        } else {
            remaining = chunkLine.size();
            state = remaining == 0 ? State.TRAILERS : State.DATA;
        }
    }

    private void takeDataEnd(ByteBuffer in) {
        switch (line.read(in, 0)) {
            case INCOMPLETE -> {}
            case COMPLETE -> state = State.SIZE;
            case CONTROL_CHARACTER -> refuse(LineScanner.error(line.control()));
            case TOO_LONG -> refuse(MalformedMessage.badRequest("chunk longer than its size"));
        }
    }

    private void takeTrailer(ByteBuffer in) {
        switch (line.read(in, trailers.lineMax())) {
            case INCOMPLETE -> {}
            case COMPLETE -> trailer();
            case CONTROL_CHARACTER -> refuse(LineScanner.error(line.control()));
            case TOO_LONG -> refuse(trailers.tooLong());
        }
    }

    private void trailer() {
        if (line.length() == 0) {
            state = State.DONE;
            return;
        }
        MalformedMessage refusal = trailers.add(line.bytes(), line.length());
        line.clear();
        if (refusal != null) {
            refuse(refusal);
        }
    }

    private void refuse(MalformedMessage error) {
        this.error = error;
        state = State.BAD;
    }
}
