package dev.tandem.engine.http2;

import dev.tandem.engine.IoContext;
import dev.tandem.engine.ResponseHead;
import dev.tandem.engine.ResponseHeaders;
import dev.tandem.engine.WriteQueue;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.Status;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.HeadWriter;
import dev.tandem.http.h2.HpackEncoder;
import dev.tandem.http.h2.PreparedHead;
import dev.tandem.http.h2.SendWindow;
import dev.tandem.http.h2.Settings;
import dev.tandem.http.h2.SettingsChange;
import dev.tandem.http.h2.StreamEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The output of a connection: packs control frames and the frames of all streams into the loop's
/// buffer, and sends it in as few calls as possible. Confined to the loop.
///
/// Control frames go first, so that PING is acknowledged before any content; then heads, which no
/// window holds back; then content by [ReadyStreams].
final class Http2Output {
    /// How much is sent in one iteration of the loop, before other connections are processed: 256
    /// KiB.
    private static final int ITERATION_BYTES = 262_144;

    /// The content of a frame: 16 KiB, the least that each client accepts. Longer frames would save
    /// little, and delay streams that are more urgent.
    private static final int FRAME_MAX = 16_384;

    /// Where less room is left in the loop's buffer, it is sent first: short frames cost more.
    private static final int FRAME_MIN = 1_024;

    /// The most that waits of control frames: 64 KiB. Each is a response to a frame of the client,
    /// whose input is not read before it accepts what it has caused.
    private static final int CONTROL_MAX = 65_536;

    private static final int CONTROL_PAUSE = CONTROL_MAX / 4;
    private static final int CONTROL_FIRST = 128;

    /// Size of the table for response headers, in bytes: the default of all clients.
    private static final int TABLE = 4_096;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Http2Connection http;
    private final WriteQueue queue;
    private final HpackEncoder encoder = new HpackEncoder(TABLE);
    private final SendWindow window = new SendWindow(Settings.INITIAL.initialWindowSize());
    private final ReadyStreams ready = new ReadyStreams();
    private final OutputMemory memory;

    /// Streams whose content is not read because [#tailMemory] is used up; null if there are none.
    private @Nullable ReadyStreams waiting;

    /// The responses that outlive their handlers; null if there were none yet.
    private @Nullable Http2Feeds feeds;

    /// The largest that the window was, in bytes.
    private int windowSize = window.available();

    /// Since when the connection's window is closed, by the loop's clock, while it is.
    private long closedNanos;

    /// How many streams have content and no window of their own.
    private int blockedCount;

    private ByteBuffer control = NOTHING;

    /// Whether all connections together hold too much, as it was found before sending.
    private boolean isScarce;

    /// Whether it was once, so that the kernel keeps little since then.
    private boolean isKernelLimited;

    /// What waits for the socket, as it counts in the memory.
    private long counted;

    Http2Output(Http2Connection http) {
        this.http = http;
        this.queue = new WriteQueue(http.connection(), http.engine().outputMemory());
        this.memory = new OutputMemory(http.engine().outputMemory());
    }

    OutputMemory memory() {
        return memory;
    }

    // ---- Control frames.

    /// Returns where the next control frame is written: room for [FrameWriter#CONTROL_MAX].
    ByteBuffer control() {
        if (control.remaining() < FrameWriter.CONTROL_MAX) {
            int size = Math.max(CONTROL_FIRST, 2 * control.capacity());
            control = ByteBuffer.allocate(size).put(control.flip());
        }
        return control;
    }

    /// Whether input should wait until the client has accepted control frames.
    boolean mustPauseInput() {
        return queue.isHeldUp() && control.position() > CONTROL_PAUSE;
    }

    private void putControl() throws IOException {
        if (control.position() > 0) {
            queue.put(http.context(), control.array(), control.position(), false);
            control.clear();
        }
    }

    // ---- Windows and priorities.

    /// The client has changed its settings.
    ///
    /// @return false if the window of a stream exceeds the maximum
    boolean apply(SettingsChange change) {
        encoder.apply(change);
        int delta = change.windowDelta();
        boolean[] isValid = {true};
        if (delta != 0) {
            http.streams()
                    .forEach(
                            stream -> {
                                isValid[0] &= stream.sendWindow().adjust(delta);
                                windowChanged(stream);
                            });
        }
        return isValid[0];
    }

    /// @return false if the window exceeds the maximum
    boolean increaseWindow(int increment) {
        boolean isValid = window.increase(increment);
        windowSize = Math.max(windowSize, window.available());
        if (feeds != null) {
            feeds.windowEnlarged(windowSize);
            unblockFeeds(feeds);
        }
        return isValid;
    }

    private void unblockFeeds(Http2Feeds known) {
        if (known.allowed() > 0 && blockedCount > 0) {
            http.streams()
                    .forEach(
                            stream -> {
                                if (stream.feed() != null) {
                                    unblock(stream);
                                }
                            });
        }
    }

    /// @return false if the window exceeds the maximum
    boolean increaseWindow(Http2Stream stream, int increment) {
        boolean isValid = stream.sendWindow().increase(increment);
        Http2Feed feed = stream.feed();
        if (feed != null && feeds != null) {
            feeds.windowEnlarged(feed, increment);
            unblockFeeds(feeds);
        }
        windowChanged(stream);
        return isValid;
    }

    private void windowChanged(Http2Stream stream) {
        StreamOutput output = stream.output();
        synchronized (output) {
            output.window(stream.sendWindow().available());
        }
        unblock(stream);
    }

    private void unblock(Http2Stream stream) {
        if (stream.isBlocked() && stream.sendWindow().available() > 0) {
            stream.blocked(false, 0);
            blockedCount--;
            addReady(stream);
        }
    }

    private void block(Http2Stream stream) {
        removeReady(stream);
        if (!stream.isBlocked()) {
            stream.blocked(true, http.nowNanos());
            blockedCount++;
        }
    }

    private void addReady(Http2Stream stream) {
        if (!stream.isReady()) {
            stream.ready(true);
            ready.add(stream);
        }
    }

    private void removeReady(Http2Stream stream) {
        if (stream.isReady()) {
            stream.ready(false);
            ready.remove(stream);
        }
    }

    /// Forgets a stream that is closed.
    void remove(Http2Stream stream) {
        removeReady(stream);
        removeWaiting(stream);
        if (stream.isBlocked()) {
            stream.blocked(false, 0);
            blockedCount--;
        }
        Http2Feed feed = stream.feed();
        if (feed != null && feeds != null) {
            feeds.remove(feed);
            unblockFeeds(feeds);
        }
    }

    /// Returns the responses that outlive their handlers.
    Http2Feeds feeds() {
        Http2Feeds known = feeds;
        if (known == null) {
            known = new Http2Feeds(window, windowSize);
            feeds = known;
        }
        return known;
    }

    /// Whether there are some.
    boolean hasFeeds() {
        return feeds != null;
    }

    /// Whether the client accepts nothing now, of any stream.
    boolean isStalled() {
        return queue.isHeldUp() || window.available() == 0;
    }

    /// Applies a function to a stream's priority while it is in no list.
    void reprioritize(Http2Stream stream, Runnable change) {
        boolean wasReady = stream.isReady();
        boolean wasWaiting = stream.isWaiting();
        removeReady(stream);
        removeWaiting(stream);
        change.run();
        if (wasReady) {
            addReady(stream);
        }
        if (wasWaiting) {
            addWaiting(stream);
        }
    }

    /// Returns since when the client's windows keep content of a stream back, by the loop's clock;
    /// [Long#MAX_VALUE] if they do not.
    long stalledNanos(Http2Stream stream) {
        if (stream.isBlocked()) {
            return stream.blockedNanos();
        }
        boolean hasContent = stream.isReady() || stream.isWaiting();
        return hasContent && window.available() == 0 ? closedNanos : Long.MAX_VALUE;
    }

    /// Returns how many streams have content that the client's windows hold back.
    int stalledCount() {
        int waitingCount = waiting == null ? 0 : waiting.size();
        return blockedCount + (window.available() == 0 ? ready.size() + waitingCount : 0);
    }

    boolean isHeldUp() {
        return queue.isHeldUp();
    }

    /// Whether the connection may be kept: its client takes what there is for it, or there is room
    /// for what it does not take.
    boolean mayWait() {
        return !queue.isHeldUp() && stalledCount() == 0 || memory.mayWait();
    }

    /// Whether nothing waits to be sent.
    boolean isEmpty() {
        return !queue.isHeldUp() && control.position() == 0 && ready.size() + blockedCount == 0;
    }

    /// Returns how much of the waiting output the client has accepted: progress.
    long taken() {
        return queue.taken();
    }

    // ---- Sending.

    /// Sends what can be sent.
    void drain() throws IOException {
        if (queue.isHeldUp()) {
            return;
        }
        isScarce = !memory.hasRoom();
        putControl();
        while (!queue.isHeldUp()) {
            Http2Stream stream = http.nextAnnounced();
            if (stream == null) {
                break;
            }
            accept(stream);
        }
        long left = ITERATION_BYTES;
        while (left > 0 && window.available() > 0 && !queue.isHeldUp()) {
            Http2Stream stream = ready.first();
            if (stream == null) {
                break;
            }
            left -= sendContent(stream);
        }
        flushControl();
        readWaiting();
        if (left <= 0 && !queue.isHeldUp()) {
            http.scheduleTask();
        }
    }

    /// Sends more of what waits in buffers.
    ///
    /// @return whether all of it is sent
    boolean writeMore() throws IOException {
        boolean isAll = queue.writeMore(http.context()) == WriteQueue.Next.NOTHING;
        countWaiting();
        return isAll;
    }

    /// Counts what waits for the socket.
    private void countWaiting() {
        long now = queue.memory();
        if (now != counted) {
            memory.hold(now - counted);
            counted = now;
        }
    }

    /// Returns how much may be gathered before it is given to the socket, which perhaps does not
    /// take it, so that it has to be kept.
    private int room() {
        ByteBuffer out = http.context().output().bytes();
        int most = isScarce ? OutputMemory.SCARCE_FRAME - out.position() : out.remaining();
        return Math.min(most, out.remaining());
    }

    /// Sends control frames, and what was gathered.
    void flushControl() throws IOException {
        putControl();
        queue.flush(http.context());
        countWaiting();
    }

    /// Sends GOAWAY without an error, if the client accepts it now, before the connection is
    /// closed. Allocates nothing: it may be closed because there is no memory.
    void sendLast(int lastStreamId) {
        ByteBuffer out = http.context().output().bytes();
        if (queue.isHeldUp() || out.position() > 0) {
            return;
        }
        FrameWriter.goAway(out, lastStreamId, ErrorCode.NO_ERROR);
        try {
            queue.flush(http.context());
            http.engine().http2().goAway(ErrorCode.NO_ERROR);
        } catch (IOException e) {
            out.clear(); // the client has disconnected
        }
    }

    /// Takes the news of a stream: sends its head, and has its content sent.
    private void accept(Http2Stream stream) throws IOException {
        PreparedResponse prepared = stream.prepared();
        if (prepared != null) {
            stream.prepared(null);
            sendPrepared(stream, prepared);
            return;
        }
        StreamOutput output = stream.output();
        boolean isPlain;
        ErrorCode code = null;
        synchronized (output) {
            output.seen(); // first: what is announced from now on is announced again
            isPlain = stream.session() == null && stream.feed() == null;
            if (isPlain) {
                code = send(stream, null, output);
            }
        }
        if (!isPlain) {
            code = acceptContinued(stream);
        }
        if (code != null) {
            http.reset(stream, code);
        } else if (!stream.isClosed()) {
            http.consumed(stream);
            sent(stream);
        }
    }

    /// Takes the news of a stream's session or feed, which have locks of their own, and then the
    /// stream's.
    ///
    /// @return as [#send]
    private @Nullable ErrorCode acceptContinued(Http2Stream stream) throws IOException {
        stream.takeSessionNews();
        Http2Feed feed = stream.feed();
        if (feed != null && !feed.isBegun() && !stream.isClosed()) {
            feed.begin(http.nowNanos(), http.isEnding());
            feeds().add(feed, http.nowNanos());
        }
        StreamOutput output = stream.output();
        synchronized (output) {
            return send(stream, feed, output);
        }
    }

    /// Sends what can be sent of a stream. Called with the output's monitor.
    ///
    /// @return by which code the caller has to reset the stream without the monitor, since that
    ///     ends its session, whose senders take the session's lock and then the monitor; null if it
    ///     stays, or is closed already
    private @Nullable ErrorCode send(
            Http2Stream stream, @Nullable Http2Feed feed, StreamOutput output) throws IOException {
        if (stream.isClosed()) {
            return null;
        }
        fill(feed, output);
        ErrorCode code = output.resetCode();
        if (code != null) {
            return stream.isResponseSent() ? ErrorCode.NO_ERROR : code;
        }
        sendHeads(stream, output);
        if (output.buffered() > 0) {
            hasContent(stream, output);
        } else if (!stream.isResponseSent() && output.isComplete()) {
            sendEnd(stream, output);
        } else {
            readTail(stream, output);
        }
        return null;
    }

    private static void fill(@Nullable Http2Feed feed, StreamOutput output) {
        if (feed != null && !output.isAborted()) {
            feed.fill();
        }
    }

    /// Some of a stream's output was sent. Called without its monitor.
    private void sent(Http2Stream stream) {
        stream.outputSent();
        if (stream.isResponseSent()) {
            http.responseSent(stream);
        }
    }

    private void hasContent(Http2Stream stream, StreamOutput output) throws IOException {
        long size = output.buffered();
        boolean isShort = size <= FRAME_MAX && output.isComplete() && size <= allowed(stream);
        if (isShort && ready.size() == 0 && !queue.isHeldUp()) {
            sendFrame(stream, output, (int) size);
        } else if (!stream.isBlocked()) {
            addReady(stream);
        }
    }

    private void sendHeads(Http2Stream stream, StreamOutput output) throws IOException {
        for (StreamOutput.Interim interim = output.nextInterim();
                interim != null;
                interim = output.nextInterim()) {
            HeadWriter writer = http.loop().writer().start(encoder).status(interim.status());
            write(interim.headers(), writer);
            put(stream, writer, false);
        }
        ResponseHead head = output.takeHead();
        if (head == null) {
            return;
        }
        HeadWriter writer = http.loop().writer().start(encoder).status(head.status());
        if (!head.hasDate()) {
            writer.prepared(http.loop().date());
        }
        write(head.headers(), writer);
        if (output.length() >= 0 && Status.allowsContent(head.status())) {
            writer.contentLength(output.length());
        }
        boolean isEnd = output.isComplete() && output.buffered() == 0 && output.trailers() == null;
        put(stream, writer, isEnd);
        if (isEnd) {
            ended(stream);
        }
    }

    private static void write(ResponseHeaders headers, HeadWriter to) {
        for (int i = 0; i < headers.size(); i++) {
            to.header(headers.name(i), headers.value(i));
        }
    }

    private void sendPrepared(Http2Stream stream, PreparedResponse response) throws IOException {
        if (stream.isClosed()) {
            return;
        }
        HeadWriter writer = http.loop().writer().start(encoder);
        writer.prepared(response.headerBlock(PreparedHead::of)).prepared(http.loop().date());
        ByteBuffer content = response.body();
        boolean isEnd = stream.head().method().equals("HEAD") || !content.hasRemaining();
        put(stream, writer, isEnd);
        if (isEnd) {
            ended(stream);
            http.responseSent(stream);
            return;
        }
        StreamOutput output = stream.output();
        synchronized (output) {
            output.prepared(content.duplicate());
            hasContent(stream, output);
        }
        if (stream.isResponseSent()) {
            http.responseSent(stream);
        }
    }

    /// Writes a header block.
    private void put(Http2Stream stream, HeadWriter block, boolean isEnd) throws IOException {
        int frameMax = http.peer().maxFrameSize();
        int size = FrameWriter.headersLength(block, frameMax);
        IoContext context = http.context();
        if (size > room()) {
            queue.flush(context);
        }
        ByteBuffer out = context.output().bytes();
        if (size <= out.remaining()) {
            FrameWriter.headers(out, stream.id(), block, frameMax, isEnd);
        } else {
            var large = ByteBuffer.allocate(size);
            FrameWriter.headers(large, stream.id(), block, frameMax, isEnd);
            queue.put(context, large.array(), size, true);
        }
    }

    /// Sends a frame of the stream's content, or removes it from those that are ready.
    ///
    /// @return how many bytes were sent
    private int sendContent(Http2Stream stream) throws IOException {
        StreamOutput output = stream.output();
        int sent;
        synchronized (output) {
            long buffered = output.buffered();
            if (output.isAborted() || buffered == 0) {
                removeReady(stream);
                readTail(stream, output);
                return 0;
            }
            int allowed = allowed(stream);
            if (allowed == 0) {
                block(stream);
                return 0;
            }
            int size = (int) Math.min(Math.min(buffered, FRAME_MAX), allowed);
            sent = sendFrame(stream, output, size);
            fill(stream.feed(), output);
            if (sent > 0 && output.buffered() == 0) {
                removeReady(stream);
                if (output.isComplete() && !stream.isResponseSent()) {
                    sendEnd(stream, output);
                }
            } else if (sent > 0 && stream.isRoundRobin()) {
                ready.rotate(stream);
            }
        }
        sent(stream);
        return sent;
    }

    /// Returns how much the windows allow a stream to send.
    private int allowed(Http2Stream stream) {
        int most = Math.min(window.available(), stream.sendWindow().available());
        return stream.feed() == null || feeds == null ? most : Math.min(most, feeds.allowed());
    }

    /// Sends a DATA frame.
    ///
    /// @param wanted length of its content in bytes, within the windows
    /// @return what it has; 0 if the client does not accept output
    private int sendFrame(Http2Stream stream, StreamOutput output, int wanted) throws IOException {
        IoContext context = http.context();
        if (room() < FrameWriter.HEADER_LENGTH + Math.min(wanted, FRAME_MIN)) {
            queue.flush(context);
            if (queue.isHeldUp()) {
                addReady(stream);
                return 0;
            }
        }
        ByteBuffer out = context.output().bytes();
        int size = Math.min(wanted, room() - FrameWriter.HEADER_LENGTH);
        boolean isAll = size == output.buffered();
        boolean isEnd = isAll && output.isComplete() && output.trailers() == null;
        FrameWriter.data(out, stream.id(), size, isEnd);
        output.moveTo(out, size);
        countSent(stream, size);
        // A tail is not read further than the window.
        boolean isClosed = window.available() == 0 || stream.sendWindow().available() == 0;
        boolean isMore = !isAll || isClosed && !output.isComplete();
        boolean isLimited = isMore && size == wanted && wanted < FRAME_MAX;
        output.window(stream.sendWindow().available());
        http.ledger().creditSent(size, isLimited, http.nowNanos());
        if (isEnd) {
            ended(stream);
        } else if (isAll && output.isComplete()) {
            sendEnd(stream, output);
        } else {
            readTail(stream, output);
        }
        if (size < wanted && !stream.isResponseSent()) {
            addReady(stream);
        }
        return size;
    }

    private void countSent(Http2Stream stream, int size) {
        window.send(size);
        stream.sendWindow().send(size);
        if (window.available() == 0) {
            closedNanos = http.nowNanos();
        }
        Http2Feed feed = stream.feed();
        if (feed != null && feeds != null) {
            feeds.sent(feed, size, http.nowNanos());
        }
    }

    /// Ends a response whose content is sent: by trailers, or by an empty frame.
    private void sendEnd(Http2Stream stream, StreamOutput output) throws IOException {
        ResponseHeaders trailers = output.trailers();
        if (trailers != null) {
            HeadWriter writer = http.loop().writer().start(encoder);
            write(trailers, writer);
            put(stream, writer, true);
        } else {
            IoContext context = http.context();
            if (context.output().bytes().remaining() < FrameWriter.HEADER_LENGTH) {
                queue.flush(context);
            }
            FrameWriter.data(context.output().bytes(), stream.id(), 0, true);
        }
        ended(stream);
    }

    private void ended(Http2Stream stream) {
        stream.responseSent();
        http.streams().on(stream.id(), StreamEvent.SEND_END_STREAM);
        http.ledger().creditStream();
    }

    private void readTail(Http2Stream stream, StreamOutput output) {
        if (!output.isTailIdle()) {
            return;
        }
        if (output.buffered() == 0 && stream.sendWindow().available() == 0) {
            block(stream);
        } else if (output.wantsTail()) {
            limitKernel();
            if (mayReadAhead() && output.grantTail()) {
                stream.fillLater();
            } else {
                addWaiting(stream);
            }
        }
    }

    /// While memory is scarce, has the kernel keep little of content that can be read later: else a
    /// thousand clients that read nothing would have gigabytes of it read, by a short frame each
    /// time, while others wait for their turn. What handlers have made is in memory already.
    private void limitKernel() {
        if (isScarce && !isKernelLimited) {
            isKernelLimited = true;
            queue.limitKernel();
        }
    }

    /// Whether content may be read that is sent later. While memory is scarce, only for a socket
    /// that has taken what was sent before: one that takes nothing has no use for more.
    private boolean mayReadAhead() {
        boolean isAllTaken = !queue.isHeldUp() && http.context().output().bytes().position() == 0;
        return isAllTaken || !isScarce;
    }

    private void addWaiting(Http2Stream stream) {
        if (!stream.isWaiting()) {
            ReadyStreams known = waiting == null ? new ReadyStreams() : waiting;
            waiting = known;
            stream.waiting(true);
            known.add(stream);
        }
    }

    private void removeWaiting(Http2Stream stream) {
        ReadyStreams known = waiting;
        if (known != null && stream.isWaiting()) {
            stream.waiting(false);
            known.remove(stream);
            waiting = known.size() == 0 ? null : known;
        }
    }

    /// Has content read of streams that wait for memory, as far as there is some.
    private void readWaiting() {
        while (waiting != null && mayReadAhead() && memory.mayReadAnother()) {
            Http2Stream stream = waiting.first();
            if (stream == null) {
                return;
            }
            removeWaiting(stream);
            StreamOutput output = stream.output();
            synchronized (output) {
                readTail(stream, output);
            }
        }
    }

    // ---- The end.

    /// Frees memory while nothing is to be sent.
    void trim() {
        ready.trim();
        control = control.position() == 0 ? NOTHING : control;
    }

    void close() {
        queue.close();
        memory.hold(-counted);
        counted = 0;
    }

    /// Returns what waits, for failures of tests.
    @Nullable Http2Stream firstReady() {
        return ready.first();
    }
}
