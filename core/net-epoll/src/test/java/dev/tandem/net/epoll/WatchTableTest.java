package dev.tandem.net.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.net.epoll.WatchTable.Watch;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchTableTest {
    private final WatchTable watches = new WatchTable();

    private static Watch watch(int generation, int fd) {
        var socket =
                new EpollSocket(
                        SystemCallNumbers.forThisMachine(), fd, ByteBuffer.allocateDirect(28), 0);
        return new Watch(generation, _ -> {}, socket);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 65_536, 1_048_575})
    void watchesOfAllChunksAreKept(int fd) throws IOException {
        assertNull(watches.get(fd));
        Watch watch = watch(1, fd);
        watches.put(fd, watch);
        assertSame(watch, watches.get(fd));
    }

    @Test
    void descriptorBeyondMaximumThrows() {
        var rejection = assertThrows(IOException.class, () -> watches.put(1_048_576, watch(1, 0)));
        assertEquals("descriptor 1048576 is beyond 1048576", rejection.getMessage());
        assertNull(watches.get(1_048_576));
        assertNull(watches.get(-1));
    }

    @Test
    void clearKeepsNewerWatch() throws IOException {
        Watch first = watch(1, 5);
        Watch next = watch(2, 5);
        watches.put(5, first);
        watches.put(5, next);
        watches.clear(5, first);
        assertSame(next, watches.get(5));
        watches.clear(5, next);
        assertNull(watches.get(5));
    }
}
