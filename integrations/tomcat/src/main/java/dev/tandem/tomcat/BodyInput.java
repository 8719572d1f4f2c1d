package dev.tandem.tomcat;

import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.http.Headers;
import dev.tandem.http.HttpException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.ActionCode;
import org.apache.coyote.BadRequestException;
import org.apache.coyote.InputBuffer;
import org.apache.coyote.Request;
import org.apache.tomcat.util.buf.ByteChunk;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;

/// A request's body as Catalina reads it. Used again for the next request.
final class BodyInput implements InputBuffer {
    private static final int STATUS_TIMEOUT = 408;
    private static final int SIZE = 8192;
    private static final byte[] NOTHING = {};

    private final Request request;
    private final TandemProtocol protocol;
    private @Nullable ContainerExchange wire;
    private byte[] bytes = NOTHING;
    private int from;
    private int to;
    private boolean isOver;

    /// Reading has failed: where the body ends is not known.
    private boolean isBroken;

    BodyInput(Request request, TandemProtocol protocol) {
        this.request = request;
        this.protocol = protocol;
    }

    void begin(ContainerExchange wire) {
        this.wire = wire;
        from = 0;
        to = 0;
        isOver = wire.isBodyOver();
        isBroken = false;
        if (!isOver) {
            int millis =
                    protocol.getDisableUploadTimeout()
                            ? protocol.getConnectionTimeout()
                            : protocol.getConnectionUploadTimeout();
            wire.readTimeout(
                    millis > 0 ? TimeUnit.MILLISECONDS.toNanos(millis) : Long.MAX_VALUE / 4);
        }
    }

    void recycle() {
        wire = null;
        from = 0;
        to = 0;
        if (bytes.length != SIZE) {
            bytes = NOTHING; // a body that was replayed
        }
    }

    /// The body is another: one that was kept while its client logged in.
    void replay(ByteChunk body) {
        bytes = Arrays.copyOfRange(body.getBuffer(), body.getStart(), body.getEnd());
        from = 0;
        to = bytes.length;
        isOver = true;
    }

    @Override
    public int doRead(ApplicationBufferHandler handler) throws IOException {
        if (from == to) {
            fill(request.getReadListener() == null);
        }
        int count = to - from;
        if (count == 0) {
            tellEnd();
            return isOver ? -1 : 0;
        }
        handler.setByteBuffer(ByteBuffer.wrap(bytes, from, count));
        from = to;
        return count;
    }

    private void fill(boolean waits) throws IOException {
        if (isOver) {
            return;
        }
        if (bytes.length == 0) {
            bytes = new byte[SIZE];
        }
        ContainerExchange open = Objects.requireNonNull(wire);
        int count;
        try {
            count = open.read(bytes, 0, bytes.length, waits);
        } catch (HttpException e) {
            isOver = true;
            isBroken = true;
            throw e.status() == STATUS_TIMEOUT
                    ? new SocketTimeoutException("the body came too slowly")
                    : new BadRequestException(e.getMessage());
        }
        from = 0;
        to = Math.max(0, count);
        if (count < 0) {
            isOver = true;
        }
        if (open.isBodyOver()) {
            isOver = true;
            trailers(open.trailers());
        }
    }

    private void trailers(Headers fields) {
        for (int i = 0; i < fields.size(); i++) {
            if (protocol.isTrailerHeaderAllowed(fields.name(i))) {
                String name = fields.name(i).toLowerCase(java.util.Locale.ROOT);
                request.getMimeTrailerFields().addValue(name).setString(fields.value(i));
            }
        }
    }

    /// How much can be read without waiting.
    ///
    /// @param looks whether to ask the connection
    int available(boolean looks) throws IOException {
        if (from == to && looks && !isOver) {
            fill(false);
            tellEnd();
        }
        ContainerExchange open = wire;
        return from < to || open == null || isOver ? to - from : Math.min(open.available(), 1);
    }

    /// An application's own thread has come to the end, and may not ask again: Catalina is to call
    /// `onAllDataRead` from one of ours.
    private void tellEnd() {
        if (isFinished() && request.getReadListener() != null && !request.isRequestThread()) {
            request.action(ActionCode.DISPATCH_READ, null);
            request.action(ActionCode.DISPATCH_EXECUTE, null);
        }
    }

    /// Whether what has come is nothing that an application could read, nor the end: half of a
    /// chunk's head, for example.
    boolean isStillWaiting() throws IOException {
        if (from == to && !isOver) {
            fill(false);
        }
        return from == to && !isOver;
    }

    /// Reads what is left and passes over it, as Tomcat does: a client that sends all of its
    /// request before it reads would be told of a reset instead of the answer.
    ///
    /// @param most bytes, -1 for any number
    /// @return whether its end has come
    boolean swallow(int most) throws IOException {
        long left = most < 0 ? Long.MAX_VALUE : most;
        while (!isOver && left > 0) {
            fill(true);
            left -= to;
        }
        from = to;
        return isWhole() && left >= 0;
    }

    @Override
    public int available() {
        return to - from;
    }

    /// Whether everything was given to Catalina.
    boolean isFinished() {
        return from == to && isOver;
    }

    /// Whether its end has come, read or not, where it should be.
    boolean isWhole() {
        return isOver && !isBroken;
    }

    /// Whether its end has come, read or not.
    boolean isOver() {
        return isOver;
    }
}
