package dev.tandem.tomcat;

import dev.tandem.engine.container.ContainerExchange;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Writes buffers that may have no accessible array.
final class BufferWriter {
    private static final int COPY_SIZE = 8192;

    private BufferWriter() {}

    /// Writes the buffer's remaining bytes and advances its position.
    static void write(ContainerExchange exchange, ByteBuffer from, boolean isBlocking)
            throws IOException {
        if (from.hasArray()) {
            int length = from.remaining();
            exchange.write(from.array(), from.arrayOffset() + from.position(), length, isBlocking);
            from.position(from.limit());
            return;
        }
        var copy = new byte[Math.min(COPY_SIZE, from.remaining())];
        while (from.hasRemaining()) {
            int length = Math.min(copy.length, from.remaining());
            from.get(copy, 0, length);
            exchange.write(copy, 0, length, isBlocking);
        }
    }
}
