package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.h2.Transition.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9113, sections 5.1 and 5.1.1.
class StreamTableTest {
    private final StreamTable<String> streams = new StreamTable<>(Role.SERVER);

    @Test
    void requestOpensAStreamAndItsResponseClosesIt() {
        Transition opened = streams.on(1, StreamEvent.RECEIVE_HEADERS, true);
        assertTrue(opened.isProcessed());
        assertEquals(StreamState.HALF_CLOSED_REMOTE, opened.next());
        assertNull(streams.get(1));
        streams.put(1, "first");
        assertEquals("first", streams.get(1));
        assertEquals(1, streams.activeCount());
        assertTrue(streams.on(1, StreamEvent.SEND_HEADERS).isProcessed());
        assertTrue(streams.on(1, StreamEvent.SEND_DATA, true).isProcessed());
        assertEquals(StreamState.CLOSED_ENDED, streams.state(1));
        assertEquals(0, streams.activeCount());
        assertEquals("first", streams.get(1));
        streams.close(1);
        assertNull(streams.get(1));
        assertEquals(0, streams.count());
        assertEquals(StreamState.CLOSED_ENDED, streams.state(1));
        assertEquals(1, streams.highestId());
    }

    @Test
    void skippedIdentifiersAreClosed() {
        streams.on(7, StreamEvent.RECEIVE_HEADERS);
        streams.on(11, StreamEvent.RECEIVE_HEADERS);
        streams.on(5_001, StreamEvent.RECEIVE_HEADERS);
        for (int id : new int[] {1, 5, 4_999, 3_001}) {
            assertTrue(streams.state(id).isClosed());
            Transition headers = streams.on(id, StreamEvent.RECEIVE_HEADERS);
            assertEquals(Outcome.CONNECTION_ERROR, headers.outcome());
            assertEquals(ErrorCode.PROTOCOL_ERROR, headers.error());
        }
        assertEquals(ErrorCode.STREAM_CLOSED, streams.on(4_999, StreamEvent.RECEIVE_DATA).error());
        assertEquals(StreamState.IDLE, streams.state(5_003));
    }

    @Test
    void streamThatWasClosedIsNotOpenedAgain() {
        for (int id : new int[] {3, 7}) {
            streams.on(id, StreamEvent.RECEIVE_HEADERS, true);
            streams.on(id, StreamEvent.SEND_HEADERS, true);
            streams.close(id);
        }
        assertEquals(ErrorCode.STREAM_CLOSED, streams.on(7, StreamEvent.RECEIVE_HEADERS).error());
        assertEquals(ErrorCode.STREAM_CLOSED, streams.on(3, StreamEvent.RECEIVE_HEADERS).error());
        assertEquals(ErrorCode.PROTOCOL_ERROR, streams.on(5, StreamEvent.RECEIVE_HEADERS).error());
        assertEquals(ErrorCode.PROTOCOL_ERROR, streams.on(1, StreamEvent.RECEIVE_HEADERS).error());
    }

    @Test
    void evenIdentifierIsAnError() {
        Transition transition = streams.on(2, StreamEvent.RECEIVE_HEADERS);
        assertEquals(Outcome.CONNECTION_ERROR, transition.outcome());
        assertEquals(ErrorCode.PROTOCOL_ERROR, transition.error());
        assertEquals(0, streams.count());
        streams.on(7, StreamEvent.RECEIVE_HEADERS);
        assertEquals(StreamState.IDLE, streams.state(4));
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "RECEIVE_DATA",
                "RECEIVE_RESET",
                "RECEIVE_WINDOW_UPDATE",
            })
    void frameOfAnIdleStreamIsAnError(StreamEvent event) {
        assertEquals(Outcome.CONNECTION_ERROR, streams.on(1, event).outcome());
        assertEquals(StreamState.IDLE, streams.state(1));
    }

    @Test
    void priorityOfAnIdleStreamIsIgnored() {
        assertEquals(Outcome.IGNORE, streams.on(99, StreamEvent.RECEIVE_PRIORITY).outcome());
        assertEquals(0, streams.highestId());
    }

    @Test
    void framesAfterOurResetAreIgnored() {
        openAndReset(1);
        assertEquals(Outcome.IGNORE, streams.on(1, StreamEvent.RECEIVE_DATA).outcome());
        assertEquals(Outcome.IGNORE, streams.on(1, StreamEvent.RECEIVE_HEADERS).outcome());
        streams.close(1);
        assertEquals(StreamState.CLOSED_RESET_SENT, streams.state(1));
        assertEquals(Outcome.IGNORE, streams.on(1, StreamEvent.RECEIVE_DATA, true).outcome());
        assertEquals(Outcome.IGNORE, streams.on(1, StreamEvent.RECEIVE_HEADERS).outcome());
    }

    @Test
    void framesAfterThePeersResetAreAnError() {
        streams.on(1, StreamEvent.RECEIVE_HEADERS);
        streams.on(1, StreamEvent.RECEIVE_RESET);
        assertEquals(Outcome.CONNECTION_ERROR, streams.on(1, StreamEvent.RECEIVE_DATA).outcome());
        streams.close(1);
        assertEquals(Outcome.CONNECTION_ERROR, streams.on(1, StreamEvent.RECEIVE_DATA).outcome());
        assertEquals(Outcome.IGNORE, streams.on(1, StreamEvent.RECEIVE_RESET).outcome());
    }

    /// A worker may respond after the stream was reset.
    @Test
    void lateResponseToAClosedStreamIsNotSent() {
        streams.on(1, StreamEvent.RECEIVE_HEADERS);
        streams.on(1, StreamEvent.RECEIVE_RESET);
        assertEquals(Outcome.IGNORE, streams.on(1, StreamEvent.SEND_HEADERS).outcome());
        streams.close(1);
        assertEquals(Outcome.IGNORE, streams.on(1, StreamEvent.SEND_HEADERS).outcome());
        assertEquals(Outcome.IGNORE, streams.on(1, StreamEvent.SEND_DATA, true).outcome());
        assertEquals(Outcome.IGNORE, streams.on(1, StreamEvent.SEND_RESET).outcome());
    }

    @Test
    void bugsOfTheCallerAreExceptions() {
        assertThrows(IllegalStateException.class, () -> streams.on(1, StreamEvent.SEND_HEADERS));
        assertThrows(IllegalStateException.class, () -> streams.put(1, "x"));
        assertThrows(IllegalStateException.class, () -> streams.close(1));
        assertThrows(IllegalStateException.class, streams::openNext);
        streams.on(1, StreamEvent.RECEIVE_HEADERS);
        assertThrows(IllegalStateException.class, () -> streams.close(1));
    }

    @Test
    void resetsAreRememberedForTheLastThousandStreams() {
        for (int id = 1; id < 10_000; id += 2) {
            if (id % 3 == 0) {
                openAndReset(id);
            } else {
                streams.on(id, StreamEvent.RECEIVE_HEADERS, true);
                streams.on(id, StreamEvent.SEND_HEADERS, true);
            }
            streams.close(id);
            assertRemembered(id);
        }
        openAndReset(20_001);
        assertEquals(StreamState.CLOSED_ENDED, streams.state(19_999), "skipped");
        assertEquals(StreamState.CLOSED_RESET_SENT, streams.state(9_999), "older");
        openAndReset(Integer.MAX_VALUE);
        streams.close(Integer.MAX_VALUE);
        streams.close(20_001);
        assertEquals(StreamState.CLOSED_RESET_SENT, streams.state(Integer.MAX_VALUE));
        assertEquals(StreamState.CLOSED_ENDED, streams.state(Integer.MAX_VALUE - 2));
    }

    private void assertRemembered(int highest) {
        for (int id = highest; id > 0; id -= 2) {
            boolean isKnown = highest - id < 2 * 1_024;
            StreamState expected =
                    isKnown && id % 3 != 0
                            ? StreamState.CLOSED_ENDED
                            : StreamState.CLOSED_RESET_SENT;
            if (streams.state(id) != expected) {
                assertEquals(expected, streams.state(id), "stream " + id + " after " + highest);
            }
        }
    }

    @Test
    void clientOpensOddIdentifiers() {
        var client = new StreamTable<String>(Role.CLIENT);
        assertEquals(1, client.openNext());
        assertEquals(3, client.openNext());
        assertTrue(client.on(1, StreamEvent.SEND_HEADERS, true).isProcessed());
        assertTrue(client.on(1, StreamEvent.RECEIVE_HEADERS, true).isProcessed());
        assertEquals(StreamState.CLOSED_ENDED, client.state(1));
        client.close(1);
        assertEquals(Outcome.CONNECTION_ERROR, client.on(5, StreamEvent.RECEIVE_HEADERS).outcome());
        assertEquals(Outcome.CONNECTION_ERROR, client.on(2, StreamEvent.RECEIVE_HEADERS).outcome());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void tableBehavesLikeAMap(long seed) {
        var random = new Random(seed);
        Map<Integer, String> model = new HashMap<>();
        int highest = -1;
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(100) < (i / 2_000 % 2 == 0 ? 60 : 40)) {
                highest += 2 * (1 + random.nextInt(random.nextInt(10) == 0 ? 40 : 1));
                streams.on(highest, StreamEvent.RECEIVE_HEADERS);
                streams.put(highest, "s" + highest);
                model.put(highest, "s" + highest);
            } else if (!model.isEmpty()) {
                List<Integer> ids = List.copyOf(model.keySet());
                int id = ids.get(random.nextInt(ids.size()));
                streams.on(id, StreamEvent.SEND_RESET);
                streams.close(id);
                model.remove(id);
            }
            assertEquals(model.size(), streams.count());
            assertEquals(model.size(), streams.activeCount());
            int probed = random.nextInt(highest + 4) | 1;
            assertEquals(model.get(probed), streams.get(probed));
        }
        var found = new ArrayList<String>();
        streams.forEach(found::add);
        assertEquals(new TreeSet<>(model.values()), new TreeSet<>(found));
        assertEquals(model.size(), found.size());
    }

    private void openAndReset(int id) {
        assertTrue(streams.on(id, StreamEvent.RECEIVE_HEADERS).isProcessed());
        assertTrue(streams.on(id, StreamEvent.SEND_RESET).isProcessed());
    }
}
