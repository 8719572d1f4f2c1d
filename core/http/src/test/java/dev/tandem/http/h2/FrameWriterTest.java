package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameWriterTest {
    private static final Settings ALL = new Settings(1, false, 2, 3, 16_385, 4, true, true);

    @Test
    void framesAreDecodedAsWritten() {
        assertEquals(
                """
                SETTINGS 8 %s
                DATA 1 'hi' 2 end
                RST_STREAM 3 8
                SETTINGS 0 %s
                SETTINGS ack
                PING fedcba9876543210
                PING 1 ack
                GOAWAY 2147483647 0
                WINDOW_UPDATE 0 2147483647
                WINDOW_UPDATE 5 1
                PRIORITY_UPDATE 7 u=7, i\
                """
                        .formatted(ALL, ALL),
                decoded(
                        out -> {
                            FrameWriter.settings(out, ALL);
                            FrameWriter.data(out, 1, 2, true);
                            out.put((byte) 'h').put((byte) 'i');
                            FrameWriter.resetStream(out, 3, ErrorCode.CANCEL);
                            FrameWriter.settings(out, Settings.INITIAL);
                            FrameWriter.settingsAck(out);
                            FrameWriter.ping(out, 0xFEDCBA98_76543210L, false);
                            FrameWriter.ping(out, 1, true);
                            FrameWriter.goAway(out, Integer.MAX_VALUE, ErrorCode.NO_ERROR);
                            FrameWriter.windowUpdate(out, 0, Integer.MAX_VALUE);
                            FrameWriter.windowUpdate(out, 5, 1);
                            FrameWriter.priorityUpdate(out, 7, new Priority(7, true));
                        }));
    }

    @Test
    void serverSettingsAreWrittenAsTheirDifference() {
        assertEquals(
                "SETTINGS 3 " + Settings.SERVER,
                decoded(out -> FrameWriter.settings(out, Settings.SERVER)));
    }

    @Test
    void longestControlFrameFitsIntoItsRoom() {
        ByteBuffer out = ByteBuffer.allocate(FrameWriter.CONTROL_MAX);
        FrameWriter.settings(out, ALL);
        assertEquals(0, out.remaining());
        assertThrows(BufferOverflowException.class, () -> FrameWriter.settingsAck(out));
    }

    @Test
    void clientStartsAConnection() {
        ByteBuffer out = ByteBuffer.allocate(100);
        Preface.write(out);
        FrameWriter.settings(out, Settings.CLIENT);
        byte[] bytes = Arrays.copyOf(out.array(), out.position());
        assertEquals(
                "SETTINGS 2 "
                        + Settings.INITIAL.withPushEnabled(false).withMaxHeaderListSize(65_536),
                new SplitFrames(Role.SERVER).events(bytes));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16_383, 16_384, 16_385, 32_768, 40_000})
    void headerBlockIsSplitAtTheMaximumFrameSize(int length) {
        byte[] updates = new byte[length];
        Arrays.fill(updates, (byte) 0x20); // of the table size, which is a block without headers
        var writer = new HeadWriter().start(new HpackEncoder(4_096)).prepared(updates);
        int frames = Math.max(1, (length + 16_383) / 16_384);
        assertEquals(length + 9 * frames, FrameWriter.headersLength(writer, 16_384));
        ByteBuffer out = ByteBuffer.allocate(length + 9 * frames);
        FrameWriter.headers(out, 1, writer, 16_384, true);
        assertEquals(0, out.remaining());
        byte[] bytes = Frames.toServer().raw(out.array()).bytes();
        String events =
                new SplitFrames(Role.SERVER).decode(bytes, 5, bytes.length / 2, bytes.length);
        assertTrue(events.endsWith("HEADERS 1 end"), events);
        assertEquals(frames + 1, events.lines().count());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void windowUpdateWithoutIncrementIsRejected(int increment) {
        ByteBuffer out = ByteBuffer.allocate(100);
        assertThrows(
                IllegalArgumentException.class, () -> FrameWriter.windowUpdate(out, 1, increment));
    }

    @Test
    void errorCodesHaveTheNumbersOfTheRfc() {
        assertEquals(0, ErrorCode.NO_ERROR.code());
        assertEquals(3, ErrorCode.FLOW_CONTROL_ERROR.code());
        assertEquals(7, ErrorCode.REFUSED_STREAM.code());
        assertEquals(9, ErrorCode.COMPRESSION_ERROR.code());
        assertEquals(0xD, ErrorCode.HTTP_1_1_REQUIRED.code());
        for (ErrorCode code : ErrorCode.values()) {
            assertEquals(code, ErrorCode.of(code.code()));
        }
        assertEquals(ErrorCode.INTERNAL_ERROR, ErrorCode.of(0xE));
        assertEquals(ErrorCode.INTERNAL_ERROR, ErrorCode.of(-1));
    }

    private static String decoded(Consumer<ByteBuffer> written) {
        ByteBuffer out = ByteBuffer.allocate(1_000);
        Preface.write(out);
        written.accept(out);
        byte[] bytes = Arrays.copyOf(out.array(), out.position());
        return new SplitFrames(Role.SERVER).events(bytes);
    }
}
