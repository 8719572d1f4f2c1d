package dev.tandem.server;

import dev.tandem.http.Bad;
import dev.tandem.http.Headers;
import dev.tandem.http.HttpException;
import dev.tandem.http.h1.BodyDecoder;
import dev.tandem.http.h1.Head;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.TimeoutIOException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// A request's body as the handler reads it: first what came with the head, then the socket, by
/// waiting. Confined to the worker.
final class RequestBody extends InputStream {
    private static final byte[] CONTINUE =
            "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final long SECOND = 1_000_000_000L;

    /// How much of a body that the handler did not read is read in its place, to keep the
    /// connection: 256 KiB. More costs more than a new connection does.
    private static final int DRAINED_MAX = 262_144;

    private final Http1 http;
    private final Kit kit;
    private final BodyDecoder decoder;
    private final long announced;
    private final byte[] one = new byte[1];
    private ByteBuffer input;
    private boolean isInputCarried = true;
    private boolean mustSayContinue;
    private boolean isOver;
    private boolean isBroken;
    private long received;
    private long begin;

    RequestBody(Http1 http, Kit kit, Head head) {
        this.http = http;
        this.kit = kit;
        this.decoder = BodyDecoder.of(head, http.engine().options().head());
        this.announced = head.contentLength();
        this.input = http.carry().view();
        // A client whose body is on its way already waits for no word (RFC 9110, section 10.1.1).
        this.mustSayContinue = head.expectsContinue() && http.carry().isEmpty();
        this.begin = http.connection().loop().clock().nanos();
    }

    @Override
    public int read() throws IOException {
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        java.util.Objects.checkFromIndexSize(offset, length, to.length);
        if (isBroken) {
            throw new ClientGoneException("the body ended early");
        }
        if (length == 0) {
            return 0;
        }
        while (!isOver) {
            int count = decoder.decode(input, to, offset, length);
            if (count > 0) {
                received += count;
                checkSize();
                endIfDone();
                return count;
            }
            Bad bad = decoder.bad();
            if (bad != null) {
                isBroken = true;
                throw new HttpException(bad.status(), bad.reason());
            }
            endIfDone();
            if (!isOver) {
                fill();
            }
        }
        return -1;
    }

    private void checkSize() {
        long most = http.engine().options().bodyMax();
        if (received > most) {
            isBroken = true;
            throw new HttpException(413, "the body is longer than " + most + " bytes");
        }
    }

    /// Leaves what follows the body to the connection.
    private void endIfDone() {
        if (!isOver && decoder.isDone()) {
            isOver = true;
            leaveRest();
        }
    }

    private void leaveRest() {
        if (isInputCarried) {
            http.carry().used(http.carry().size() - input.remaining());
        } else {
            http.carry().keep(input);
        }
    }

    private void fill() throws IOException {
        leaveRest();
        isInputCarried = false;
        if (mustSayContinue) {
            sayContinue();
        }
        Connection connection = http.connection();
        IoBuffer buffer = kit.input();
        buffer.bytes().clear();
        int count;
        try {
            count = connection.read(buffer, deadline());
        } catch (TimeoutIOException e) {
            isBroken = true;
            throw new HttpException(408, "the body came too slowly");
        } catch (IOException e) {
            isBroken = true;
            throw new ClientGoneException(e);
        }
        if (count < 0) {
            isBroken = true;
            throw new ClientGoneException("the body ended early");
        }
        input = buffer.bytes().flip();
    }

    /// The client waits for this word before it sends the body (RFC 9110, section 10.1.1).
    private void sayContinue() throws IOException {
        mustSayContinue = false;
        ByteBuffer output = kit.output().bytes();
        output.clear().put(CONTINUE).flip();
        try {
            http.connection().write(kit.output(), http.engine().options().writeStallNanos());
        } catch (IOException e) {
            isBroken = true;
            throw new ClientGoneException(e);
        } finally {
            output.clear();
        }
    }

    private long deadline() {
        Options options = http.engine().options();
        long grace = options.bodyGraceNanos();
        long rate = options.bodyRateMin();
        if (rate == 0) {
            return http.connection().loop().clock().nanos() + grace;
        }
        long earned = received / rate * SECOND + received % rate * SECOND / rate;
        return begin + grace + earned;
    }

    /// Says that the answer is decided: who waits for 100 Continue will not be told to send.
    void answered() {
        if (mustSayContinue && !isOver) {
            isBroken = true;
        }
    }

    /// Whether the connection could go on after this body: it is read, or short enough to be.
    boolean mayBeDrained() {
        return isOver || !isBroken && announced - received <= DRAINED_MAX;
    }

    /// Whether the body's end may still be reached.
    boolean mayBeRead() {
        return !isBroken;
    }

    /// Reads and drops what the handler did not read.
    ///
    /// @return whether the body's end was reached
    boolean drain() {
        var dropped = new byte[8192];
        long most = received + DRAINED_MAX;
        try {
            while (!isOver && !isBroken && received < most) {
                if (read(dropped, 0, dropped.length) < 0) {
                    break;
                }
            }
        } catch (IOException | HttpException e) {
            isBroken = true;
        }
        return isOver;
    }

    boolean isOver() {
        return isOver;
    }

    @Override
    public int available() {
        return isOver || isBroken ? 0 : (int) Math.min(input.remaining(), Math.max(0, announced));
    }

    Headers trailers() {
        return isOver ? decoder.trailers() : Headers.EMPTY;
    }
}
