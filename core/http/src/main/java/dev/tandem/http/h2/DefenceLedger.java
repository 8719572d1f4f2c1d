package dev.tandem.http.h2;

/// The account of a connection: what the peer costs against the useful work that it causes. Ends
/// floods of frames that are legal one by one: rapid reset (CVE-2023-44487), resets that the peer
/// provokes (MadeYouReset, CVE-2025-8671), floods of SETTINGS, PING, PRIORITY, empty DATA and
/// CONTINUATION (CVE-2019-9512 and others, CVE-2024-27316), tiny windows and stalled streams.
///
/// A balance starts at [#ALLOWANCE] and never exceeds it. Costs reduce it; completed responses,
/// content and time increase it. An exhausted connection is closed with ENHANCE_YOUR_CALM. Rates
/// alone do not end a connection: a client that makes much use of the server may send many control
/// frames.
///
/// The unit is the work for one small frame, about a microsecond of an event loop. Time is an
/// argument, in nanoseconds of any origin ([System#nanoTime()]). Confined to its connection's
/// owner.
public final class DefenceLedger {
    /// The highest balance, and the first: 100,000 units, which is 1,000 resets of running
    /// requests. A browser that leaves a page resets all its streams at once, up to 300; a client
    /// with 512 concurrent streams that gives up resets 512.
    public static final int ALLOWANCE = 100_000;

    /// What each second adds: 5,000 units, half a percent of an event loop: 50 resets of running
    /// requests, or 250 PING.
    public static final int REFILL_PER_SECOND = 5_000;

    /// What a response that was sent to its end adds: as much as a reset costs, so that a client
    /// may cancel every second request for ever.
    public static final int STREAM_COMPLETED = 100;

    /// What a DATA frame adds that was sent in the length that this endpoint chose: two
    /// WINDOW_UPDATE and a PING, which some clients send for each. grpc-go measures the connection
    /// by a PING whenever content has come and none is on its way: one for each message of a stream
    /// of small ones, for as long as it lasts.
    public static final int DATA_SENT = 30;

    /// What 1,024 bytes of content add, sent or received and consumed.
    public static final int CONTENT_KIB = 1;

    /// Shorter DATA frames, where the peer's window is the reason, are a [Cost#WINDOW_DRIP]; in
    /// bytes.
    public static final int DRIP_LENGTH = 256;

    /// What a stream costs each second in which the peer's window keeps its content back. Paused
    /// videos are a few such streams for a long time: the refill pays for 80.
    public static final int STALLED_STREAM_SECOND = 60;

    /// The most that stalled streams cost each second: no client is closed within 60 seconds for
    /// not reading.
    public static final int STALLED_SECOND_MAX = REFILL_PER_SECOND + ALLOWANCE / 60;

    /// What a peer can cost. Each constant has its number of units.
    public enum Cost {
        /// RST_STREAM for a request that runs or has run: 100, since its work is lost. Burst 1,000.
        RESET_RUNNING(100),
        /// RST_STREAM for a request that has not started: 20, since only its head was decoded.
        RESET_QUEUED(20),
        /// RST_STREAM that this endpoint had to send for an error of the peer, or a response to a
        /// malformed request: 100, as if the peer had sent it.
        RESET_SENT(100),
        /// A stream above the maximum number of concurrent streams: 20. A client may open hundreds
        /// before it has received the settings.
        STREAM_REFUSED(20),
        /// A header list over its limits, whatever becomes of its stream: 200, for up to 64 KiB of
        /// decoding.
        HEADERS_TOO_LARGE(200),
        /// CONTINUATION: 20. A header block rarely needs one.
        CONTINUATION(20),
        /// CONTINUATION without a fragment: 200. No client sends it.
        CONTINUATION_EMPTY(200),
        /// DATA without content, padded or not, that does not end its stream: 50. Burst 2,000.
        DATA_EMPTY(50),
        /// HEADERS or DATA of a stream that this endpoint has reset: 10. Some were in transit.
        FRAME_IGNORED(10),
        /// SETTINGS: 100, since each may change all windows and must be acknowledged. Burst 1,000.
        SETTINGS(100),
        /// An acknowledgement, of SETTINGS or PING: 20.
        ACKNOWLEDGEMENT(20),
        /// PING: 20, since it must be acknowledged. Burst 5,000. Clients that measure the
        /// connection send one for 64 KiB of content that they send, which pays for three, or one
        /// for each frame of content that they receive, which [#DATA_SENT] pays for.
        PING(20),
        /// PRIORITY or PRIORITY_UPDATE: 10. Browsers send up to two for each request.
        PRIORITY(10),
        /// WINDOW_UPDATE: 5. Burst 20,000.
        WINDOW_UPDATE(5),
        /// A short DATA frame because of a small window: 20. See [#DRIP_LENGTH].
        WINDOW_DRIP(20),
        /// Seconds of stalled streams; see [#chargeStalled].
        STALL(1),
        /// A frame of an unknown type: 10.
        UNKNOWN_FRAME(10);

        private final int units;

        Cost(int units) {
            this.units = units;
        }

        public int units() {
            return units;
        }
    }

    private static final long SECOND = 1_000_000_000L;
    private static final Cost[] COSTS = Cost.values();

    /// The balance is kept in these parts of a unit, so that a byte of content is one.
    private static final int PARTS = 1_024;

    private static final long PARTS_MAX = (long) ALLOWANCE * PARTS;

    private long balance = PARTS_MAX;
    private long refilledNanos;

    private static final int[] NOTHING = {};

    /// How many units each kind has cost, [Integer#MAX_VALUE] for more; created by the first.
    private int[] charged = NOTHING;

    /// @param nowNanos the time of the connection's start
    public DefenceLedger(long nowNanos) {
        refilledNanos = nowNanos;
    }

    /// Charges a cost.
    public void charge(Cost cost, long nowNanos) {
        charge(cost, cost.units, nowNanos);
    }

    /// Charges a time in which the peer's windows kept content back.
    ///
    /// @param streams how many streams with content had no window of their own, or of the
    ///     connection while it did not move
    /// @param stalledNanos the time since the last call
    public void chargeStalled(int streams, long stalledNanos, long nowNanos) {
        long perSecond = Math.min((long) streams * STALLED_STREAM_SECOND, STALLED_SECOND_MAX);
        charge(Cost.STALL, perSecond * Math.min(stalledNanos, 60 * SECOND) / SECOND, nowNanos);
    }

    private void charge(Cost cost, long units, long nowNanos) {
        // Before the refill, which may be for the same time as a stall.
        balance -= units * PARTS;
        refill(nowNanos);
        if (charged.length == 0) {
            charged = new int[COSTS.length];
        }
        int before = charged[cost.ordinal()];
        charged[cost.ordinal()] = (int) Math.min(before + units, Integer.MAX_VALUE);
    }

    /// Credits a response that was sent to its end.
    public void creditStream() {
        credit((long) STREAM_COMPLETED * PARTS);
    }

    /// Credits a DATA frame that was sent, or charges it if it is short because of the peer's
    /// window.
    ///
    /// @param length of its content in bytes
    /// @param isLimitedByWindow whether there was more content and the frame could have been longer
    public void creditSent(int length, boolean isLimitedByWindow, long nowNanos) {
        if (isLimitedByWindow && length < DRIP_LENGTH) {
            charge(Cost.WINDOW_DRIP, nowNanos);
        } else {
            long frame = isLimitedByWindow ? 0 : DATA_SENT;
            credit(frame * PARTS + (long) length * CONTENT_KIB);
        }
    }

    /// Credits received content that a handler has consumed.
    ///
    /// @param length in bytes
    public void creditReceived(int length) {
        credit((long) length * CONTENT_KIB);
    }

    /// Returns whether the connection is to be closed.
    public boolean isExhausted() {
        return balance < 0;
    }

    /// Returns the balance in units; negative if it is exhausted.
    public long balance() {
        return Math.floorDiv(balance, PARTS);
    }

    /// Returns how many units a cost has taken since the start of the connection, at most 2^31 - 1.
    public long charged(Cost cost) {
        return charged.length == 0 ? 0 : charged[cost.ordinal()];
    }

    /// Returns the cost that has taken the most, for the log.
    public Cost largest() {
        Cost largest = COSTS[0];
        for (Cost cost : COSTS) {
            largest = charged(cost) > charged(largest) ? cost : largest;
        }
        return largest;
    }

    private void credit(long parts) {
        balance = Math.min(PARTS_MAX, balance + parts);
    }

    private void refill(long nowNanos) {
        // More than a minute fills the balance of any connection that is not closed yet.
        long elapsed = Math.min(nowNanos - refilledNanos, 60 * SECOND);
        long parts = elapsed * REFILL_PER_SECOND * PARTS / SECOND;
        if (parts > 0) {
            refilledNanos = nowNanos;
            credit(parts);
        }
    }
}
