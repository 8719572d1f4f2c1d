package dev.tandem.http.h2;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The states of a stream (RFC 9113, section 5.1). The closed state is three, because it depends on
/// how a stream was closed which frames may still come. The reserved states do not occur, because
/// push is neither used nor allowed.
public enum StreamState {
    IDLE,
    OPEN,
    /// This endpoint has sent END_STREAM.
    HALF_CLOSED_LOCAL,
    /// The peer has sent END_STREAM.
    HALF_CLOSED_REMOTE,
    /// Both have sent END_STREAM.
    CLOSED_ENDED,
    /// This endpoint has sent RST_STREAM: the peer may not know it yet.
    CLOSED_RESET_SENT,
    /// The peer has sent RST_STREAM.
    CLOSED_RESET_RECEIVED;

    /// The next state of each state and event, or
    ///
    /// - `=` the same state;
    /// - `-` the frame is ignored, or not sent;
    /// - `p` connection error PROTOCOL_ERROR;
    /// - `c` connection error STREAM_CLOSED;
    /// - `s` stream error STREAM_CLOSED;
    /// - `!` a bug of this endpoint.
    ///
    /// A stream that both sides have ended, and one that the peer has reset, gets no more HEADERS
    /// or DATA from a correct peer. Whether a peer may open a stream is a question of its
    /// identifier ([StreamTable]).
    private static final String TABLE =
            """
            event                  idle  open    local   remote  ended  sent  received
            RECEIVE_HEADERS        open  =       =       s       c      -     c
            RECEIVE_DATA           p     =       =       s       c      -     c
            RECEIVE_END_STREAM     p     remote  ended   s       c      -     c
            RECEIVE_RESET          p     received received received -   -     -
            RECEIVE_WINDOW_UPDATE  p     =       =       =       -      -     -
            RECEIVE_PRIORITY       -     =       =       =       -      -     -
            SEND_HEADERS           open  =       !       =       !      -     -
            SEND_DATA              !     =       !       =       !      -     -
            SEND_END_STREAM        !     local   !       ended   !      -     -
            SEND_RESET             !     sent    sent    sent    -      -     -
            """;

    private static final int EVENTS = StreamEvent.values().length;

    private static final Map<String, StreamState> NAMES =
            Map.of(
                    "idle", IDLE,
                    "open", OPEN,
                    "local", HALF_CLOSED_LOCAL,
                    "remote", HALF_CLOSED_REMOTE,
                    "ended", CLOSED_ENDED,
                    "sent", CLOSED_RESET_SENT,
                    "received", CLOSED_RESET_RECEIVED);

    /// By state and event.
    private static final @Nullable Transition[] TRANSITIONS = transitions();

    /// Returns what happens on an event in this state.
    ///
    /// @throws IllegalStateException if this endpoint must not send the frame in this state, which
    ///     is a bug
    public Transition on(StreamEvent event) {
        Transition transition = TRANSITIONS[place(this, event)];
        if (transition == null) {
            throw new IllegalStateException(event + " in state " + this);
        }
        return transition;
    }

    public boolean isClosed() {
        return ordinal() >= CLOSED_ENDED.ordinal();
    }

    /// Returns whether the stream counts for the maximum number of concurrent streams (RFC 9113,
    /// section 5.1.2).
    public boolean isActive() {
        return this != IDLE && !isClosed();
    }

    /// Returns whether the peer may still send content.
    public boolean isReceiving() {
        return this == OPEN || this == HALF_CLOSED_LOCAL;
    }

    /// Returns whether this endpoint may still send content.
    public boolean isSending() {
        return this == OPEN || this == HALF_CLOSED_REMOTE;
    }

    private static int place(StreamState state, StreamEvent event) {
        return state.ordinal() * EVENTS + event.ordinal();
    }

    private static @Nullable Transition[] transitions() {
        @Nullable Transition[] transitions = new @Nullable Transition[values().length * EVENTS];
        String[] lines = TABLE.split("\n");
        String[] states = lines[0].split(" +");
        for (int i = 1; i < lines.length; i++) {
            String[] cells = lines[i].split(" +");
            StreamEvent event = StreamEvent.valueOf(cells[0]);
            for (int j = 1; j < cells.length; j++) {
                StreamState state = state(states[j]);
                transitions[place(state, event)] = transition(state, cells[j]);
            }
        }
        return transitions;
    }

    private static @Nullable Transition transition(StreamState state, String cell) {
        return switch (cell) {
            case "=" -> new Transition(Transition.Outcome.PROCESS, state, null);
            case "-" -> new Transition(Transition.Outcome.IGNORE, state, null);
            case "p" ->
                    new Transition(
                            Transition.Outcome.CONNECTION_ERROR, state, ErrorCode.PROTOCOL_ERROR);
            case "c" ->
                    new Transition(
                            Transition.Outcome.CONNECTION_ERROR, state, ErrorCode.STREAM_CLOSED);
            case "s" ->
                    new Transition(Transition.Outcome.STREAM_ERROR, state, ErrorCode.STREAM_CLOSED);
            case "!" -> null;
            default -> new Transition(Transition.Outcome.PROCESS, state(cell), null);
        };
    }

    private static StreamState state(String name) {
        StreamState state = NAMES.get(name);
        if (state == null) {
            throw new IllegalArgumentException("no state " + name);
        }
        return state;
    }
}
