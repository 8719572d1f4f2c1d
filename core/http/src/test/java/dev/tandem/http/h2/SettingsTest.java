package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// RFC 9113, section 6.5; RFC 8441, section 3; RFC 9218, section 2.1.
class SettingsTest {

    @Test
    void settingsHaveTheInitialValuesOfTheRfc() {
        Settings initial = Settings.INITIAL;
        assertEquals(4_096, initial.headerTableSize());
        assertEquals(true, initial.isPushEnabled());
        assertEquals(Integer.MAX_VALUE, initial.maxConcurrentStreams());
        assertEquals(65_535, initial.initialWindowSize());
        assertEquals(16_384, initial.maxFrameSize());
        assertEquals(Integer.MAX_VALUE, initial.maxHeaderListSize());
        assertEquals(false, initial.isExtendedConnectEnabled());
        assertEquals(false, initial.isRfc7540PriorityIgnored());
    }

    @Test
    void allParametersAreApplied() {
        int[] parameters = {1, 10, 2, 0, 3, 20, 4, 30, 5, 16_385, 6, 40, 8, 1, 9, 1, 0xFFFF, 7};
        assertEquals(
                "SETTINGS 9 " + new Settings(10, false, 20, 30, 16_385, 40, true, true),
                ofServer(parameters));
    }

    @Test
    void unsignedValuesAreLimited() {
        int[] parameters = {1, -1, 3, -2, 6, 0x8000_0000};
        Settings after =
                Settings.INITIAL
                        .withHeaderTableSize(Settings.UNLIMITED)
                        .withMaxConcurrentStreams(Settings.UNLIMITED)
                        .withMaxHeaderListSize(Settings.UNLIMITED);
        assertEquals("SETTINGS 3 " + after, ofServer(parameters));
    }

    @ParameterizedTest
    @CsvSource({
        "2, 2, PROTOCOL_ERROR: ENABLE_PUSH is 2",
        "2, -1, PROTOCOL_ERROR: ENABLE_PUSH is 2147483647",
        "4, -2147483648, FLOW_CONTROL_ERROR: INITIAL_WINDOW_SIZE is 2147483648",
        "4, -1, FLOW_CONTROL_ERROR: INITIAL_WINDOW_SIZE is 4294967295",
        "5, 16383, PROTOCOL_ERROR: MAX_FRAME_SIZE is 16383",
        "5, 0, PROTOCOL_ERROR: MAX_FRAME_SIZE is 0",
        "5, 16777216, PROTOCOL_ERROR: MAX_FRAME_SIZE is 16777216",
        "8, 2, PROTOCOL_ERROR: ENABLE_CONNECT_PROTOCOL is 2",
        "9, 2, PROTOCOL_ERROR: SETTINGS_NO_RFC7540_PRIORITIES is 2"
    })
    void invalidValueIsAnError(int id, int value, String error) {
        assertEquals("error " + error, ofServer(id, value));
        assertEquals("error " + error, ofServer(0x7F, 0, id, value, 1, 0));
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "4, 0", "4, 2147483647", "5, 16384", "5, 16777215"})
    void boundaryIsValid(int id, int value) {
        assertEquals("SETTINGS 1", ofServer(id, value).substring(0, 10));
    }

    @Test
    void serverMustNotEnablePush() {
        assertEquals(
                "error PROTOCOL_ERROR: ENABLE_PUSH is 1",
                new SplitFrames(Role.CLIENT).events(new Frames().settings(2, 1).bytes()));
    }

    @Test
    void extendedConnectIsNotRevoked() {
        Frames frames = Frames.toServer().settings(8, 1).settings(8, 1).settings(8, 0);
        assertEquals(
                "error PROTOCOL_ERROR: ENABLE_CONNECT_PROTOCOL is 0",
                SplitFrames.toServer(frames).lines().skip(2).findFirst().orElse(""));
    }

    @Test
    void ignoringPrioritiesIsDecidedInTheFirstFrame() {
        Frames frames = Frames.toServer().settings(9, 0).settings(9, 1);
        assertEquals(
                "error PROTOCOL_ERROR: SETTINGS_NO_RFC7540_PRIORITIES is 1",
                SplitFrames.toServer(frames).lines().skip(1).findFirst().orElse(""));
    }

    @Test
    void changeHasItsDifferences() {
        List<SettingsChange> changes =
                changes(
                        Frames.preface()
                                .settings(4, 100)
                                .settings(1, 50, 1, 0, 1, 70, 4, 0, 4, 200)
                                .settings(3, 5));
        assertEquals(100 - 65_535, changes.get(0).windowDelta());
        assertEquals(4_096, changes.get(0).headerTableSizeMin());
        assertEquals(100, changes.get(1).windowDelta());
        assertEquals(0, changes.get(1).headerTableSizeMin());
        assertEquals(70, changes.get(1).after().headerTableSize());
        assertEquals(5, changes.get(1).parameters());
        assertEquals(0, changes.get(2).windowDelta());
        assertEquals(70, changes.get(2).headerTableSizeMin());
        assertEquals(changes.get(1).after(), changes.get(2).before());
    }

    /// RFC 9113, section 4.3.1: the acknowledgement of a smaller table binds the peer.
    @Test
    void ownTableSizeAppliesWhenItIsAcknowledged() {
        Settings own = Settings.SERVER.withHeaderTableSize(0);
        var server = new SplitFrames(Role.SERVER, own, Http2Limits.DEFAULT);
        Frames before =
                Frames.toServer().frame(Frames.HEADERS, Frames.END_HEADERS, 1, "4001610162 be");
        assertEquals("HEADERS 1 a=b a=b", server.afterSettings(before));
        Frames after =
                Frames.toServer()
                        .frame(Frames.SETTINGS, Frames.ACK, 0, "")
                        .frame(Frames.HEADERS, Frames.END_HEADERS, 1, "82");
        assertEquals(
                "SETTINGS ack\n"
                        + "error COMPRESSION_ERROR: no table size update after a smaller setting",
                server.afterSettings(after));
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 0, 16384, 0",
        "0, -1, 0, 16384, 0",
        "0, 0, -1, 16384, 0",
        "0, 0, 0, 16383, 0",
        "0, 0, 0, 16777216, 0",
        "0, 0, 0, 16384, -1"
    })
    void ownSettingOutOfRangeIsRejected(int table, int streams, int window, int frame, int list) {
        assertThrows(
                IllegalArgumentException.class,
                () -> new Settings(table, true, streams, window, frame, list, false, false));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 16384, 0",
        "10001, 16384, 0",
        "1, 16383, 0",
        "1, 16777216, 0",
        "1, 16384, -1",
        "1, 16384, 10001"
    })
    void limitOutOfRangeIsRejected(int headers, int block, int continuations) {
        assertThrows(
                IllegalArgumentException.class,
                () -> new Http2Limits(headers, block, continuations));
    }

    private static List<SettingsChange> changes(Frames frames) {
        var changes = new ArrayList<SettingsChange>();
        var listener =
                new IgnoringListener() {
                    @Override
                    public void settings(SettingsChange change) {
                        changes.add(change);
                    }
                };
        var decoder = new FrameDecoder(Role.SERVER, Settings.SERVER, Http2Limits.DEFAULT);
        ByteBuffer input = ByteBuffer.wrap(frames.bytes());
        while (decoder.decode(input, new HeaderList(), listener)) {}
        assertEquals(decoder.peerSettings(), changes.getLast().after());
        return changes;
    }

    private static String ofServer(int... parameters) {
        return new SplitFrames(Role.SERVER).events(Frames.preface().settings(parameters).bytes());
    }
}
