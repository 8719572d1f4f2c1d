package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// RFC 9113, section 5.1: every state and event.
class StreamStateTest {
    private static final String BUG = "bug";

    @Test
    void idleStreamIsOpenedByHeadersOnly() {
        assertRow(
                StreamState.IDLE,
                Map.of(
                        StreamEvent.RECEIVE_HEADERS, "PROCESS OPEN",
                        StreamEvent.RECEIVE_PRIORITY, "IGNORE IDLE",
                        StreamEvent.SEND_HEADERS, "PROCESS OPEN"),
                "CONNECTION_ERROR IDLE PROTOCOL_ERROR",
                BUG);
    }

    @Test
    void openStreamAllowsAll() {
        assertRow(
                StreamState.OPEN,
                Map.of(
                        StreamEvent.RECEIVE_END_STREAM, "PROCESS HALF_CLOSED_REMOTE",
                        StreamEvent.RECEIVE_RESET, "PROCESS CLOSED_RESET_RECEIVED",
                        StreamEvent.SEND_END_STREAM, "PROCESS HALF_CLOSED_LOCAL",
                        StreamEvent.SEND_RESET, "PROCESS CLOSED_RESET_SENT"),
                "PROCESS OPEN",
                "PROCESS OPEN");
    }

    @Test
    void halfClosedLocalStreamOnlyReceives() {
        assertRow(
                StreamState.HALF_CLOSED_LOCAL,
                Map.of(
                        StreamEvent.RECEIVE_END_STREAM, "PROCESS CLOSED_ENDED",
                        StreamEvent.RECEIVE_RESET, "PROCESS CLOSED_RESET_RECEIVED",
                        StreamEvent.SEND_RESET, "PROCESS CLOSED_RESET_SENT"),
                "PROCESS HALF_CLOSED_LOCAL",
                BUG);
    }

    @Test
    void halfClosedRemoteStreamReceivesNoMoreContent() {
        assertRow(
                StreamState.HALF_CLOSED_REMOTE,
                Map.of(
                        StreamEvent.RECEIVE_HEADERS,
                        "STREAM_ERROR HALF_CLOSED_REMOTE STREAM_CLOSED",
                        StreamEvent.RECEIVE_DATA,
                        "STREAM_ERROR HALF_CLOSED_REMOTE STREAM_CLOSED",
                        StreamEvent.RECEIVE_END_STREAM,
                        "STREAM_ERROR HALF_CLOSED_REMOTE STREAM_CLOSED",
                        StreamEvent.RECEIVE_RESET,
                        "PROCESS CLOSED_RESET_RECEIVED",
                        StreamEvent.SEND_END_STREAM,
                        "PROCESS CLOSED_ENDED",
                        StreamEvent.SEND_RESET,
                        "PROCESS CLOSED_RESET_SENT"),
                "PROCESS HALF_CLOSED_REMOTE",
                "PROCESS HALF_CLOSED_REMOTE");
    }

    @Test
    void endedStreamReceivesOnlyWhatWasInTransit() {
        assertRow(
                StreamState.CLOSED_ENDED,
                Map.of(
                        StreamEvent.RECEIVE_HEADERS,
                        "CONNECTION_ERROR CLOSED_ENDED STREAM_CLOSED",
                        StreamEvent.RECEIVE_DATA,
                        "CONNECTION_ERROR CLOSED_ENDED STREAM_CLOSED",
                        StreamEvent.RECEIVE_END_STREAM,
                        "CONNECTION_ERROR CLOSED_ENDED STREAM_CLOSED",
                        StreamEvent.SEND_RESET,
                        "IGNORE CLOSED_ENDED"),
                "IGNORE CLOSED_ENDED",
                BUG);
    }

    @Test
    void streamThatWeResetIgnoresAll() {
        String ignored = "IGNORE CLOSED_RESET_SENT";
        assertRow(StreamState.CLOSED_RESET_SENT, Map.of(), ignored, ignored);
    }

    @Test
    void streamThatThePeerResetReceivesNoContent() {
        String error = "CONNECTION_ERROR CLOSED_RESET_RECEIVED STREAM_CLOSED";
        String ignored = "IGNORE CLOSED_RESET_RECEIVED";
        assertRow(
                StreamState.CLOSED_RESET_RECEIVED,
                Map.of(
                        StreamEvent.RECEIVE_HEADERS, error,
                        StreamEvent.RECEIVE_DATA, error,
                        StreamEvent.RECEIVE_END_STREAM, error),
                ignored,
                ignored);
    }

    @ParameterizedTest
    @CsvSource({
        "IDLE, false, false, false, false",
        "OPEN, true, true, true, false",
        "HALF_CLOSED_LOCAL, true, true, false, false",
        "HALF_CLOSED_REMOTE, true, false, true, false",
        "CLOSED_ENDED, false, false, false, true",
        "CLOSED_RESET_SENT, false, false, false, true",
        "CLOSED_RESET_RECEIVED, false, false, false, true"
    })
    void statesHaveTheirProperties(
            StreamState state,
            boolean isActive,
            boolean isReceiving,
            boolean isSending,
            boolean isClosed) {
        assertEquals(isActive, state.isActive());
        assertEquals(isReceiving, state.isReceiving());
        assertEquals(isSending, state.isSending());
        assertEquals(isClosed, state.isClosed());
    }

    @ParameterizedTest
    @EnumSource(StreamState.class)
    void closedStateIsFinal(StreamState state) {
        if (state.isClosed()) {
            String next =
                    Arrays.stream(StreamEvent.values())
                            .map(event -> cell(state, event))
                            .filter(cell -> !cell.equals(BUG))
                            .map(cell -> cell.split(" ")[1])
                            .distinct()
                            .collect(Collectors.joining());
            assertEquals(state.name(), next);
        }
    }

    /// @param cells what differs from `received` and `sent`
    private static void assertRow(
            StreamState state, Map<StreamEvent, String> cells, String received, String sent) {
        for (StreamEvent event : StreamEvent.values()) {
            String expected = cells.getOrDefault(event, event.isSent() ? sent : received);
            assertEquals(expected, cell(state, event), state + " " + event);
        }
    }

    private static String cell(StreamState state, StreamEvent event) {
        Transition transition;
        try {
            transition = state.on(event);
        } catch (IllegalStateException e) {
            return BUG;
        }
        return transition.outcome()
                + " "
                + transition.next()
                + (transition.error() == null ? "" : " " + transition.error());
    }
}
