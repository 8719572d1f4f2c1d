package dev.tandem.load;

import dev.tandem.net.ByteStream;
import dev.tandem.net.ConnectOptions;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.NanoClock;
import dev.tandem.net.Network;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.net.TimingWheel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// What the users and connections of a load thread share: settings, buffers, timers, counts.
/// Confined to that thread.
final class LoadContext implements AutoCloseable {
    /// The largest TLS record is slightly over 16 KiB; four times that at once is enough.
    static final int BUFFER_SIZE = 65_536;

    /// Heads and chunk lines go through the heap; content is mostly dropped before.
    private static final int BYTES_SIZE = 4_096;

    private final Client client;
    private final @Nullable Transcript transcript;
    private final Consumer<String> faults;
    private final Network network;
    private final Poller poller;
    private final NanoClock clock = NanoClock.SYSTEM;
    private final ConnectionSlots slots;
    private final TimerQueue timers = new TimerQueue();
    private final TimingWheel wheel;
    private final Timeouts timeouts;
    private final ConnectOptions connectOptions;
    private final Call.Ending ending;
    private final IntPredicate failing;
    private final IoBuffer input = new IoBuffer(BUFFER_SIZE);
    private final IoBuffer output = new IoBuffer(BUFFER_SIZE);
    private final byte[] bytes = new byte[BYTES_SIZE];
    private final @Nullable TlsClient tls;
    private final Http2Codec http2Codec;

    /// What is to be sent at the end of this turn.
    private final List<Runnable> flushes = new ArrayList<>();

    private final Series.Slice slice = new Series.Slice();
    private Tally tally = new Tally();
    private long countedSinceNanos = clock.nanos();

    /// What is the same for all load threads.
    ///
    /// @param faults receives what was wrong with a response
    record Settings(
            Target target,
            Client client,
            TimeLimits timeLimits,
            @Nullable Transcript transcript,
            Consumer<String> faults) {}

    /// @throws IOException if the system gives no poller, or a file of certificates cannot be read
    LoadContext(Settings settings, ConnectionSlots slots, Network network) throws IOException {
        this.client = settings.client;
        this.transcript = settings.transcript;
        this.faults = settings.faults;
        this.network = network;
        this.slots = slots;
        this.wheel = new TimingWheel(clock.nanos());
        this.timeouts = Timeouts.of(settings.timeLimits);
        this.failing = client.failingStatuses();
        Target target = settings.target;
        this.ending = ending(target, client);
        long rate = client.receiveRate();
        // Limits how much the kernel receives before this side reads it: half a second's worth.
        int asked = client.receiveBuffer();
        int buffer = rate == 0 || asked > 0 ? asked : Math.clamp(rate / 2, 4_096, 1 << 20);
        this.connectOptions = new ConnectOptions(target.address(), buffer, client.sendBuffer());
        List<String> applications = isHttp2() ? List.of("h2") : List.of();
        this.tls = target.isTls() ? new TlsClient(target, client.tls(), applications) : null;
        this.http2Codec = Http2Codec.of(target, client);
        this.poller = network.poller();
    }

    private static Call.Ending ending(Target target, Client client) {
        var text = new StringBuilder(" ").append(client.version().text()).append("\r\nHost: ");
        boolean isHostGiven = false;
        for (Call.Header field : client.fields()) {
            isHostGiven |= field.name().equalsIgnoreCase("Host");
        }
        if (isHostGiven) {
            text.setLength(text.length() - "Host: ".length());
        } else {
            text.append(target.authority()).append("\r\n");
        }
        for (Call.Header field : client.fields()) {
            text.append(field.name()).append(": ").append(field.value()).append("\r\n");
        }
        if (!client.areConnectionsKept() && client.version() == Client.Version.HTTP_1_1) {
            text.append("Connection: close\r\n");
        }
        return new Call.Ending(text.toString());
    }

    boolean isHttp2() {
        return client.version() == Client.Version.HTTP_2;
    }

    Socket connect() throws IOException {
        return network.connect(connectOptions);
    }

    /// Returns the TLS stream around a socket if the target needs it, else the socket.
    ///
    /// @param tlsPeer the name that TLS sessions are stored by; empty for none
    ByteStream streamAround(Socket socket, String tlsPeer) {
        return tls == null ? socket : tls.environment(socket, tlsPeer);
    }

    /// The name that a user's TLS sessions are stored by; empty for none.
    String tlsPeer(long number) {
        return tls == null ? "" : tls.peer(number);
    }

    // ---- Counting.

    /// The warm-up has ended: counts afresh.
    void countAfresh() {
        tally = new Tally();
        slice.clear();
        countedSinceNanos = clock.nanos();
    }

    /// Counts the time that a connection was in a phase, without that before the warm-up's end.
    void phaseEnded(Phase phase, long fromNanos, long toNanos) {
        long from = fromNanos - countedSinceNanos < 0 ? countedSinceNanos : fromNanos;
        tally.phaseNanos[phase.ordinal()] += Math.max(0, toNanos - from);
    }

    void handshakeCompleted(boolean isResumed, long nanos) {
        if (isResumed) {
            tally.handshakesResumed++;
        } else {
            tally.handshakesFull++;
        }
        tally.handshakes.add(nanos);
    }

    void error(Outcome outcome) {
        tally.error(outcome);
        slice.errors++;
    }

    /// Records what was wrong with a response; the first is reported.
    void recordFault(@Nullable String fault) {
        faults.accept(String.valueOf(fault));
    }

    /// Records how late a scheduled action happens.
    void recordLag(long dueNanos) {
        Times.record(tally.lags, clock.nanos() - dueNanos);
    }

    boolean isFailing(int status) {
        return failing.test(status);
    }

    Tally tally() {
        return tally;
    }

    Series.Slice slice() {
        return slice;
    }

    // ---- Sending at the end of a turn.

    /// Runs an action at the end of this turn.
    void flushLater(Runnable flush) {
        flushes.add(flush);
    }

    void flush() {
        for (int i = 0; i < flushes.size(); i++) { // a failure may add others
            flushes.get(i).run();
        }
        flushes.clear();
    }

    // ---- Parts.

    Client client() {
        return client;
    }

    @Nullable Transcript transcript() {
        return transcript;
    }

    TimerQueue timers() {
        return timers;
    }

    TimingWheel wheel() {
        return wheel;
    }

    NanoClock clock() {
        return clock;
    }

    Poller poller() {
        return poller;
    }

    ConnectionSlots slots() {
        return slots;
    }

    Timeouts timeouts() {
        return timeouts;
    }

    Call.Ending ending() {
        return ending;
    }

    Http2Codec http2Codec() {
        return http2Codec;
    }

    IoBuffer input() {
        return input;
    }

    IoBuffer output() {
        return output;
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public void close() {
        if (tls != null) {
            tls.close();
        }
        poller.close();
    }
}
