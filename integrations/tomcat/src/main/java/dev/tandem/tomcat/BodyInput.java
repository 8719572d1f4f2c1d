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
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.buf.ByteChunk;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;

/// A request's body as Catalina reads it. Reused for the next request.
final class BodyInput implements InputBuffer {
    private static final int STATUS_TIMEOUT = 408;
    private static final int BUFFER_SIZE = 8192;
    private static final byte[] EMPTY = {};

    private final Request request;
    private final AbstractHttp11Protocol<?> protocol;
    private @Nullable ContainerExchange exchange;
    private byte[] buffer = EMPTY;
    private int from;
    private int to;
    private boolean isEnded;

    /// Why reading has failed; null if it has not. No end is reported then: a body that is cut must
    /// not look complete.
    private @Nullable IOException failure;

    BodyInput(Request request, AbstractHttp11Protocol<?> protocol) {
        this.request = request;
        this.protocol = protocol;
    }

    void start(ContainerExchange exchange) {
        this.exchange = exchange;
        from = 0;
        to = 0;
        isEnded = exchange.isBodyOver();
        failure = null;
        if (!isEnded) {
            int millis =
                    protocol.getDisableUploadTimeout()
                            ? protocol.getConnectionTimeout()
                            : protocol.getConnectionUploadTimeout();
            exchange.readTimeout(
                    millis > 0 ? TimeUnit.MILLISECONDS.toNanos(millis) : Long.MAX_VALUE / 4);
        }
    }

    void recycle() {
        exchange = null;
        failure = null;
        from = 0;
        to = 0;
        if (buffer.length != BUFFER_SIZE) {
            buffer = EMPTY; // a body that was replayed
        }
    }

    /// Replaces the body by the one that was saved while its client logged in.
    void replay(ByteChunk body) {
        buffer = Arrays.copyOfRange(body.getBuffer(), body.getStart(), body.getEnd());
        from = 0;
        to = buffer.length;
        isEnded = true;
    }

    @Override
    public int doRead(ApplicationBufferHandler handler) throws IOException {
        if (from == to) {
            fill(request.getReadListener() == null);
        }
        int count = to - from;
        if (count == 0) {
            dispatchEnd();
            return isEnded ? -1 : 0;
        }
        handler.setByteBuffer(ByteBuffer.wrap(buffer, from, count));
        from = to;
        return count;
    }

    private void fill(boolean isBlocking) throws IOException {
        IOException known = failure;
        if (known != null) {
            throw known;
        }
        if (isEnded) {
            return;
        }
        if (buffer.length == 0) {
            buffer = new byte[BUFFER_SIZE];
        }
        ContainerExchange open = Objects.requireNonNull(exchange);
        int count;
        try {
            count = open.read(buffer, 0, buffer.length, isBlocking);
        } catch (HttpException e) {
            isEnded = true;
            IOException failed =
                    e.status() == STATUS_TIMEOUT
                            ? new SocketTimeoutException("the body was received too slowly")
                            : new BadRequestException(e.getMessage());
            failure = failed;
            throw failed;
        }
        from = 0;
        to = Math.max(0, count);
        if (count < 0) {
            isEnded = true;
        }
        if (open.isBodyOver()) {
            isEnded = true;
            addTrailers(open.trailers());
        }
    }

    private void addTrailers(Headers headers) {
        for (int i = 0; i < headers.size(); i++) {
            if (protocol.isTrailerHeaderAllowed(headers.name(i))) {
                String name = headers.name(i).toLowerCase(java.util.Locale.ROOT);
                request.getMimeTrailerFields().addValue(name).setString(headers.value(i));
            }
        }
    }

    /// Returns how much can be read without waiting.
    ///
    /// @param polls whether to read from the connection
    int available(boolean polls) throws IOException {
        if (failure != null) {
            return 1; // so that the body is read, and the reader gets the error
        }
        if (from == to && polls && !isEnded) {
            fill(false);
            dispatchEnd();
        }
        ContainerExchange open = exchange;
        return from < to || open == null || isEnded ? to - from : Math.min(open.available(), 1);
    }

    /// Dispatches the end of the body. An application's own thread has read to the end, and may not
    /// ask again: Catalina is to call `onAllDataRead` from one of our threads.
    private void dispatchEnd() {
        if (isFullyRead() && request.getReadListener() != null && !request.isRequestThread()) {
            request.action(ActionCode.DISPATCH_READ, null);
            request.action(ActionCode.DISPATCH_EXECUTE, null);
        }
    }

    /// Returns whether the bytes received so far contain neither content for the application nor
    /// the end, but for example half of a chunk header.
    boolean needsMoreInput() throws IOException {
        if (from == to && !isEnded) {
            fill(false);
        }
        return from == to && !isEnded;
    }

    /// Reads and discards the rest of the body, as Tomcat does: a client that sends all of its
    /// request before it reads would otherwise see a reset instead of the response.
    ///
    /// @param max bytes, -1 for any number
    /// @return whether the end of the body has been reached
    boolean swallow(int max) throws IOException {
        long remaining = max < 0 ? Long.MAX_VALUE : max;
        while (!isEnded && remaining > 0) {
            fill(true);
            remaining -= to;
        }
        from = to;
        return isComplete() && remaining >= 0;
    }

    @Override
    public int available() {
        return to - from;
    }

    /// Returns whether Catalina has read everything.
    boolean isFullyRead() {
        return from == to && isComplete();
    }

    /// Returns whether the end of the body has been received, read or not, without an error.
    boolean isComplete() {
        return isEnded && failure == null;
    }

    /// Returns whether the end of the body has been received, read or not.
    boolean isEnded() {
        return isEnded;
    }
}
