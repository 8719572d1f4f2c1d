package dev.tandem.engine.http1;

import dev.tandem.engine.ClientGoneException;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.RequestBody;
import dev.tandem.http.Headers;
import dev.tandem.http.HttpException;
import dev.tandem.http.MalformedMessage;
import dev.tandem.http.h1.BodyDecoder;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.TimeoutIOException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A request's body. The loop collects it first, so that a client that sends slowly costs no
/// worker; the handler reads a longer one from the socket, and blocks. Confined to the connection's
/// owner.
final class Http1Body extends InputStream implements RequestBody {
    /// Maximum size of a body that the loop collects before a worker is used for it: 64 KiB, which
    /// holds nearly every form and JSON document.
    public static final int COLLECTED_MAX = 65_536;

    private static final int COLLECTED_FIRST = 1024;
    private static final byte[] NOTHING = {};

    private static final byte[] CONTINUE =
            "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final long SECOND = 1_000_000_000L;

    /// Maximum size of the rest of a body that the handler did not read, and that is read and
    /// dropped to keep the connection: 256 KiB. More costs more than a new connection does.
    private static final int DRAINED_MAX = 262_144;

    private final Http1Exchange exchange;
    private final Http1Connection http;
    private final BodyDecoder decoder;
    private final long announced;
    private final long begin;
    private final byte[] one = new byte[1];

    /// Of the thread that runs the exchange, once there is one.
    private @Nullable IoContext context;

    /// What the loop collected lies between `collectedFrom` and `collectedTo`.
    private byte[] collected = NOTHING;

    private int collectedFrom;
    private int collectedTo;

    /// How much counts in the budget for input: the head, which waits with it, and what the loop
    /// collected.
    private int held;

    private ByteBuffer input = ByteBuffer.wrap(NOTHING);
    private boolean isInputCarried;
    private boolean mustSayContinue;

    /// Whether all of it was received, with its end.
    private boolean isOver;

    private boolean isBroken;
    private long received;
    private long stallNanos;

    Http1Body(
            Http1Exchange exchange, Http1Connection http, Http1RequestHead head, boolean hasBegun) {
        this.exchange = exchange;
        this.http = http;
        this.decoder = BodyDecoder.of(head, http.engine().http1Limits());
        this.announced = head.contentLength();
        // A client that sends its body already does not wait for 100 (RFC 9110, section 10.1.1).
        this.mustSayContinue = head.expectsContinue() && !hasBegun;
        this.begin = http.connection().loop().clock().nanos();
        hold(head.length());
    }

    private void hold(int more) {
        http.engine().inputMemory().add(more);
        held += more;
    }

    // ---- Called on the loop.

    /// Whether the loop should wait for more before a worker continues: not for a body that is
    /// rejected for its length, nor for one that the client holds back until it gets 100.
    boolean isCollecting() {
        return !isOver
                && http.engine().tuning().container().areBodiesCollected()
                && !mustSayContinue
                && decoder.error() == null
                && announced <= http.engine().options().limits().bodyMax()
                && collectedTo < COLLECTED_MAX
                && http.engine().inputMemory().hasRoom();
    }

    /// Consumes the received bytes; those that follow the body are left in `from`, and all of them
    /// if no more is to be collected.
    void collect(ByteBuffer from) {
        boolean isTaken = true;
        while (isTaken && isCollecting()) {
            if (collectedTo == collected.length) {
                grow();
            }
            int space = collected.length - collectedTo;
            int count = decoder.decode(from, collected, collectedTo, space);
            collectedTo += count;
            received += count;
            isOver = decoder.isDone();
            isTaken = count > 0;
        }
    }

    private void grow() {
        long most = announced < 0 ? COLLECTED_MAX : Math.min(announced, COLLECTED_MAX);
        int size =
                (int) Math.min(Math.max(COLLECTED_FIRST, collected.length * 2), Math.max(1, most));
        hold(size - collected.length);
        collected = Arrays.copyOf(collected, size);
    }

    /// Releases what was collected; its head no longer counts.
    void release() {
        hold(-held);
        collected = NOTHING;
        collectedFrom = 0;
        collectedTo = 0;
    }

    /// Sets how long the client may send nothing; 0: as in the options.
    void stallNanos(long nanos) {
        stallNanos = nanos;
    }

    /// Returns when the client must have sent more, by the loop's clock.
    long deadline() {
        if (stallNanos > 0) {
            return http.connection().loop().clock().nanos() + stallNanos;
        }
        long grace = http.engine().timeouts().bodyGrace();
        long rate = http.engine().options().timeouts().bodyRateMin();
        if (rate == 0) {
            return http.connection().loop().clock().nanos() + grace;
        }
        long earned = received / rate * SECOND + received % rate * SECOND / rate;
        return begin + grace + earned;
    }

    // ---- Called by the thread that runs the exchange.

    /// Attaches it to the thread that runs the exchange.
    void attach(IoContext context) {
        this.context = context;
        if (!isOver && !http.input().isEmpty()) {
            input = http.input().view();
            isInputCarried = true;
        }
    }

    @Override
    public int read() throws IOException {
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        return read(to, offset, length, true);
    }

    /// @param waits whether to wait until something is received
    /// @return number of bytes; 0 if none was received, -1 at the end
    int read(byte[] to, int offset, int length, boolean waits) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        if (isBroken) {
            throw new ClientGoneException("the body ended early");
        }
        if (length == 0) {
            return 0;
        }
        if (collectedFrom < collectedTo) {
            checkSize();
            int count = Math.min(length, collectedTo - collectedFrom);
            System.arraycopy(collected, collectedFrom, to, offset, count);
            collectedFrom += count;
            return count;
        }
        while (!isOver) {
            int count = decoder.decode(input, to, offset, length);
            if (count > 0) {
                received += count;
                checkSize();
                endIfDone();
                return count;
            }
            MalformedMessage bad = decoder.error();
            if (bad != null) {
                isBroken = true;
                throw new HttpException(bad.status(), bad.reason());
            }
            endIfDone();
            if (!isOver && !fill(waits)) {
                return 0;
            }
        }
        return -1;
    }

    /// The client has sent too slowly.
    void timedOut() {
        isBroken = true;
    }

    /// The same, with the exception to throw.
    HttpException late() {
        timedOut();
        return new HttpException(408, "the body came too slowly");
    }

    /// Detaches it from its thread: what the thread's buffer holds is kept by the connection.
    void detach() {
        if (context != null && !isOver) {
            leaveRest();
            input = ByteBuffer.wrap(NOTHING);
            isInputCarried = false;
        }
        context = null;
    }

    private void checkSize() {
        long most = http.engine().options().limits().bodyMax();
        if (received > most) {
            isBroken = true;
            throw new HttpException(413, "the body is longer than " + most + " bytes");
        }
    }

    /// Leaves the bytes that follow the body to the connection.
    private void endIfDone() {
        if (!isOver && decoder.isDone()) {
            isOver = true;
            leaveRest();
        }
    }

    private void leaveRest() {
        if (isInputCarried) {
            http.input().used(http.input().size() - input.remaining());
        } else {
            http.input().keep(input);
        }
    }

    /// @return false if nothing was received
    private boolean fill(boolean waits) throws IOException {
        leaveRest();
        isInputCarried = false;
        if (mustSayContinue) {
            sendContinue(waits);
        }
        IoBuffer buffer = context().input();
        buffer.bytes().clear();
        int count;
        try {
            count =
                    waits
                            ? http.engine()
                                    .waits()
                                    .read(exchange.running(), http.connection(), buffer, deadline())
                            : http.connection().socket().read(buffer);
        } catch (TimeoutIOException e) {
            throw late();
        } catch (IOException e) {
            isBroken = true;
            throw new ClientGoneException(e);
        }
        if (count < 0) {
            isBroken = true;
            throw new ClientGoneException("the body ended early");
        }
        input = buffer.bytes().flip();
        return count > 0;
    }

    /// Sends 100 Continue to a client that waits for it before it sends the body (RFC 9110, section
    /// 10.1.1).
    ///
    /// @param waits whether the thread may wait while the client does not read; else it is kept
    void sendContinue(boolean waits) throws IOException {
        if (!mustSayContinue) {
            return;
        }
        mustSayContinue = false;
        try {
            if (!waits || context().isLoop()) {
                http.output().put(context(), CONTINUE, CONTINUE.length, true);
                http.output().flush(context());
            } else {
                writeContinue();
            }
        } catch (IOException e) {
            isBroken = true;
            throw new ClientGoneException(e);
        } catch (RuntimeException | Error e) {
            isBroken = true; // some of it was perhaps sent
            throw e;
        }
    }

    private void writeContinue() throws IOException {
        ByteBuffer output = context().output().bytes();
        output.clear().put(CONTINUE).flip();
        try {
            http.engine().waits().write(exchange.running(), http.connection(), context().output());
        } finally {
            output.clear();
        }
    }

    /// The response is decided: a client that waits for 100 Continue will not be asked to send.
    void responded() {
        if (mustSayContinue && !isOver) {
            isBroken = true;
        }
    }

    /// Whether the connection could be kept after this body: it was read, or is short enough to be
    /// drained.
    boolean mayBeDrained() {
        return !isBroken && (isOver || announced - received <= DRAINED_MAX);
    }

    private IoContext context() {
        return Objects.requireNonNull(context, "no thread has the body");
    }

    @Override
    public InputStream stream() {
        return this;
    }

    /// -1 if it is chunked.
    @Override
    public long length() {
        return announced;
    }

    @Override
    public long received() {
        return received;
    }

    /// Whether the body's end may still be reached.
    boolean mayBeRead() {
        return !isBroken;
    }

    /// Reads and drops what the handler did not read.
    ///
    /// @return whether the body's end was reached
    boolean drain() {
        collectedFrom = collectedTo;
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
        if (collectedFrom < collectedTo) {
            return collectedTo - collectedFrom;
        }
        return isOver || isBroken ? 0 : (int) Math.min(input.remaining(), Math.max(0, announced));
    }

    @Override
    public Headers trailers() {
        return isOver ? decoder.trailers() : Headers.EMPTY;
    }
}
