package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9113, sections 3.4, 4 and 6: each malformed frame is an error of its stream or of the
/// connection.
class FrameErrorsTest {
    private static final String LONG = "00".repeat(16_385);

    @ParameterizedTest
    @MethodSource("connectionErrors")
    void malformedFrameIsAConnectionError(Frames frames, String error) {
        assertEquals("error " + error, SplitFrames.toServer(frames));
    }

    static Stream<Arguments> connectionErrors() {
        return Stream.of(
                // Section 4.2
                Arguments.of(
                        bad().header(16_385, Frames.DATA, 0, 1),
                        "FRAME_SIZE_ERROR: frame longer than 16384 bytes"),
                Arguments.of(
                        bad().header(16_385, 0xEE, 0, 1),
                        "FRAME_SIZE_ERROR: frame longer than 16384 bytes"),
                Arguments.of(
                        bad().header(0xFFFFFF, Frames.HEADERS, 0, 1),
                        "FRAME_SIZE_ERROR: frame longer than 16384 bytes"),
                // Section 6.1
                Arguments.of(bad().data(0, "x", 0), "PROTOCOL_ERROR: DATA on stream 0"),
                Arguments.of(
                        bad().frame(Frames.DATA, Frames.PADDED, 1, ""),
                        "FRAME_SIZE_ERROR: DATA without its padding length"),
                Arguments.of(
                        bad().frame(Frames.DATA, Frames.PADDED, 1, "02 00"),
                        "PROTOCOL_ERROR: padding longer than its frame"),
                Arguments.of(
                        bad().frame(Frames.DATA, Frames.PADDED, 1, "01"),
                        "PROTOCOL_ERROR: padding longer than its frame"),
                // Section 6.2
                Arguments.of(bad().get(0), "PROTOCOL_ERROR: HEADERS on stream 0"),
                Arguments.of(
                        bad().frame(Frames.HEADERS, Frames.PADDED | Frames.END_HEADERS, 1, ""),
                        "FRAME_SIZE_ERROR: HEADERS of 0 bytes"),
                Arguments.of(
                        bad().frame(Frames.HEADERS, Frames.HAS_PRIORITY, 1, "00000000"),
                        "FRAME_SIZE_ERROR: HEADERS of 4 bytes"),
                Arguments.of(
                        bad().frame(
                                        Frames.HEADERS,
                                        Frames.PADDED | Frames.HAS_PRIORITY,
                                        1,
                                        "00 00000000"),
                        "FRAME_SIZE_ERROR: HEADERS of 5 bytes"),
                Arguments.of(
                        bad().frame(Frames.HEADERS, Frames.PADDED, 1, "02 00"),
                        "PROTOCOL_ERROR: padding longer than its frame"),
                Arguments.of(
                        bad().frame(
                                        Frames.HEADERS,
                                        Frames.PADDED | Frames.HAS_PRIORITY,
                                        1,
                                        "02 0000000000 00"),
                        "PROTOCOL_ERROR: padding longer than its frame"),
                // Section 6.3
                Arguments.of(
                        bad().frame(Frames.PRIORITY, 0, 0, "0000000000"),
                        "PROTOCOL_ERROR: PRIORITY on stream 0"),
                // Section 6.4
                Arguments.of(
                        bad().frame(Frames.RST_STREAM, 0, 0, "00000000"),
                        "PROTOCOL_ERROR: RST_STREAM on stream 0"),
                Arguments.of(
                        bad().frame(Frames.RST_STREAM, 0, 1, "000000"),
                        "FRAME_SIZE_ERROR: RST_STREAM of 3 bytes"),
                Arguments.of(
                        bad().frame(Frames.RST_STREAM, 0, 1, "0000000000"),
                        "FRAME_SIZE_ERROR: RST_STREAM of 5 bytes"),
                // Section 6.5
                Arguments.of(
                        bad().frame(Frames.SETTINGS, 0, 1, ""),
                        "PROTOCOL_ERROR: SETTINGS on stream 1"),
                Arguments.of(
                        bad().frame(Frames.SETTINGS, 0, 0, "0001000000"),
                        "FRAME_SIZE_ERROR: SETTINGS of 5 bytes"),
                Arguments.of(
                        bad().frame(Frames.SETTINGS, Frames.ACK, 0, "000100000000"),
                        "FRAME_SIZE_ERROR: SETTINGS of 6 bytes"),
                // Section 6.6
                Arguments.of(
                        bad().frame(Frames.PUSH_PROMISE, Frames.END_HEADERS, 1, "00000002 82"),
                        "PROTOCOL_ERROR: PUSH_PROMISE"),
                // Section 6.7
                Arguments.of(
                        bad().frame(Frames.PING, 0, 1, "0000000000000000"),
                        "PROTOCOL_ERROR: PING on stream 1"),
                Arguments.of(
                        bad().frame(Frames.PING, 0, 0, "00000000000000"),
                        "FRAME_SIZE_ERROR: PING of 7 bytes"),
                // Section 6.8
                Arguments.of(
                        bad().frame(Frames.GOAWAY, 0, 1, "0000000000000000"),
                        "PROTOCOL_ERROR: GOAWAY on stream 1"),
                Arguments.of(
                        bad().frame(Frames.GOAWAY, 0, 0, "00000000000000"),
                        "FRAME_SIZE_ERROR: GOAWAY of 7 bytes"),
                // Section 6.9
                Arguments.of(
                        bad().frame(Frames.WINDOW_UPDATE, 0, 0, "00000000"),
                        "PROTOCOL_ERROR: WINDOW_UPDATE of 0 bytes"),
                Arguments.of(
                        bad().frame(Frames.WINDOW_UPDATE, 0, 0, "80000000"),
                        "PROTOCOL_ERROR: WINDOW_UPDATE of 0 bytes"),
                Arguments.of(
                        bad().frame(Frames.WINDOW_UPDATE, 0, 1, "000001"),
                        "FRAME_SIZE_ERROR: WINDOW_UPDATE of 3 bytes"),
                // Section 6.10
                Arguments.of(
                        bad().frame(Frames.CONTINUATION, Frames.END_HEADERS, 1, "82"),
                        "PROTOCOL_ERROR: CONTINUATION without HEADERS"),
                Arguments.of(
                        bad().frame(Frames.HEADERS, 0, 1, "82").get(1),
                        "PROTOCOL_ERROR: header block is interrupted"),
                Arguments.of(
                        bad().frame(Frames.HEADERS, 0, 1, "82").data(1, "x", 0),
                        "PROTOCOL_ERROR: header block is interrupted"),
                Arguments.of(
                        bad().frame(Frames.HEADERS, 0, 1, "82")
                                .frame(Frames.CONTINUATION, Frames.END_HEADERS, 3, "86"),
                        "PROTOCOL_ERROR: header block is interrupted"),
                Arguments.of(
                        bad().frame(Frames.HEADERS, 0, 1, "82").frame(0xEE, 0, 1, ""),
                        "PROTOCOL_ERROR: header block is interrupted"),
                Arguments.of(
                        bad().frame(Frames.HEADERS, 0, 1, "82").frame(Frames.PING, 0, 0, "00"),
                        "PROTOCOL_ERROR: header block is interrupted"),
                // RFC 9218, section 7.1
                Arguments.of(
                        bad().frame(Frames.PRIORITY_UPDATE, 0, 1, "00000001"),
                        "PROTOCOL_ERROR: PRIORITY_UPDATE on stream 1"),
                Arguments.of(
                        bad().frame(Frames.PRIORITY_UPDATE, 0, 0, "000001"),
                        "FRAME_SIZE_ERROR: PRIORITY_UPDATE of 3 bytes"),
                Arguments.of(
                        bad().frame(Frames.PRIORITY_UPDATE, 0, 0, "00000000"),
                        "PROTOCOL_ERROR: PRIORITY_UPDATE for stream 0"),
                Arguments.of(
                        bad().frame(Frames.PRIORITY_UPDATE, 0, 0, "00000002"),
                        "PROTOCOL_ERROR: PRIORITY_UPDATE for stream 2"));
    }

    @ParameterizedTest
    @MethodSource("streamErrors")
    void malformedFrameIsAnErrorOfItsStream(Frames frames, String error) {
        assertEquals(
                "error of stream 1 " + error + "\nPING 0",
                SplitFrames.toServer(frames.frame(Frames.PING, 0, 0, "0000000000000000")));
    }

    static Stream<Arguments> streamErrors() {
        return Stream.of(
                Arguments.of(
                        bad().frame(Frames.PRIORITY, 0, 1, "00000000"),
                        "FRAME_SIZE_ERROR: PRIORITY of 4 bytes"),
                Arguments.of(
                        bad().frame(Frames.PRIORITY, 0, 1, ""),
                        "FRAME_SIZE_ERROR: PRIORITY of 0 bytes"),
                Arguments.of(
                        bad().frame(Frames.PRIORITY, 0, 1, "80000001 00"),
                        "PROTOCOL_ERROR: stream depends on itself"),
                Arguments.of(
                        bad().frame(Frames.WINDOW_UPDATE, 0, 1, "00000000"),
                        "PROTOCOL_ERROR: WINDOW_UPDATE of 0 bytes"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\r",
                "PRI * HTTP/1.1\r\n\r\nSM\r\n\r\n",
                "\0"
            })
    void inputWithoutThePrefaceIsAnError(String input) {
        assertEquals(
                "error PROTOCOL_ERROR: not the preface of HTTP/2",
                new SplitFrames(Role.SERVER).events(Hex.latin1(input)));
    }

    @Test
    void firstFrameOtherThanSettingsIsAnError() {
        String error = "error PROTOCOL_ERROR: first frame is not SETTINGS";
        var server = new SplitFrames(Role.SERVER);
        assertEquals(error, server.events(Frames.preface().get(1).bytes()));
        assertEquals(
                error, server.events(Frames.preface().frame(Frames.SETTINGS, 1, 0, "").bytes()));
        assertEquals(error, server.events(Frames.preface().frame(0xEE, 0, 0, "").bytes()));
        assertEquals(error, new SplitFrames(Role.CLIENT).events(new Frames().get(1).bytes()));
    }

    @Test
    void clientReceivesNeitherPushNorPriorityUpdate() {
        assertEquals(
                "error PROTOCOL_ERROR: PUSH_PROMISE",
                SplitFrames.toClient(
                        Frames.toClient().frame(Frames.PUSH_PROMISE, 4, 1, "00000002 82")));
        assertEquals(
                "error PROTOCOL_ERROR: PRIORITY_UPDATE for stream 1",
                SplitFrames.toClient(
                        Frames.toClient().frame(Frames.PRIORITY_UPDATE, 0, 0, "00000001")));
    }

    @Test
    void malformedHeaderBlockIsAConnectionError() {
        Frames frames = bad().frame(Frames.HEADERS, Frames.END_HEADERS, 1, "80").get(3);
        assertEquals(
                "error COMPRESSION_ERROR: index of no table entry", SplitFrames.toServer(frames));
    }

    @Test
    void manyContinuationsAreAConnectionError() {
        var limits = Http2Limits.DEFAULT.withContinuationsMax(3);
        Frames frames = bad().frame(Frames.HEADERS, 0, 1, "82");
        for (int i = 0; i < 4; i++) {
            frames.frame(Frames.CONTINUATION, 0, 1, i % 2 == 0 ? "" : "86");
        }
        assertEquals(
                """
                CONTINUATION 1 0
                CONTINUATION 1 1
                CONTINUATION 1 0
                CONTINUATION 1 1
                error ENHANCE_YOUR_CALM: more than 3 CONTINUATION frames\
                """,
                new SplitFrames(Role.SERVER, Settings.SERVER, limits).afterSettings(frames));
    }

    @Test
    void longHeaderBlockIsAConnectionError() {
        var limits = Http2Limits.DEFAULT.withHeaderBlockMax(16_384);
        Frames frames = bad().frame(Frames.HEADERS, 0, 1, "00".repeat(16_384));
        frames.frame(Frames.CONTINUATION, 0, 1, "").frame(Frames.CONTINUATION, 0, 1, "00");
        byte[] bytes = frames.bytes();
        var server = new SplitFrames(Role.SERVER, Settings.SERVER, limits);
        String events = server.decode(bytes);
        assertEquals(
                "error ENHANCE_YOUR_CALM: header block longer than 16384 bytes",
                events.lines().skip(3).findFirst().orElse(""));
        assertEquals(events, server.decode(bytes, 40, 400, 16_000, bytes.length - 12));
    }

    @Test
    void longerFramesAreAcceptedIfTheSettingAllows() {
        Frames frames = bad().frame(Frames.DATA, 0, 1, LONG);
        Settings own = Settings.SERVER.withMaxFrameSize(16_385);
        String events =
                new SplitFrames(Role.SERVER, own, Http2Limits.DEFAULT).decode(frames.bytes());
        assertEquals(
                "DATA 1 '" + "\0".repeat(16_385) + "' 16385",
                events.lines().skip(1).findFirst().orElse(""));
    }

    private static Frames bad() {
        return Frames.toServer();
    }
}
