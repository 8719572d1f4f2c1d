package dev.tandem.load;

import dev.tandem.http.h2.ContentLength;
import dev.tandem.http.h2.ReceiveWindow;
import dev.tandem.http.h2.SendWindow;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// One call over HTTP/2 and the response as far as it was received. Confined to one load thread.
final class Http2Stream {
    private static final byte[] NOTHING = {};

    final Owner owner;
    final PendingCall pending;

    /// What is kept of the response.
    final Use use;

    private final int bodyMax;

    /// 0 before it is sent.
    int id;

    /// How often GOAWAY has made it start again.
    int restarts;

    /// When it last made progress: was sent, or received anything.
    long progressNanos;

    /// How much of the request's content was sent, in bytes.
    int bodySent;

    @Nullable SendWindow sendWindow;
    @Nullable ReceiveWindow receiveWindow;

    /// 0 before the response's head; 1xx does not count.
    int status;

    String fields = "";
    private @Nullable ContentLength content;
    private @Nullable ByteArrayOutputStream kept;

    /// Receives the outcome, and knows the user's own headers; apart from its lane, so that tests
    /// need no user.
    interface Owner {
        /// Header lines of this user, each with its end; may be empty.
        String ownHeaders(Call call);

        void responded(PendingCall pending, Reply reply);

        void failed(PendingCall pending, Outcome outcome);
    }

    /// @param bodyMax the longest content to keep, in bytes; a longer one is a fault
    Http2Stream(Owner owner, PendingCall pending, Use use, int bodyMax) {
        this.owner = owner;
        this.pending = pending;
        this.use = use;
        this.bodyMax = bodyMax;
    }

    /// Resets the state to that before it was sent.
    void resetToUnsent() {
        id = 0;
        bodySent = 0;
        status = 0;
        fields = "";
        content = null;
        kept = null;
        pending.resetToUnsent();
    }

    /// The length of the request's content that was not sent yet, in bytes.
    int bodyLeft() {
        return pending.call.bodyLength() - bodySent;
    }

    /// The head was received.
    ///
    /// @param declared the content's length, or -1
    void beginContent(long declared) {
        boolean isOther = pending.call.isHead() || status == 304;
        content = new ContentLength(isOther ? -1 : declared);
    }

    /// Adds received content.
    ///
    /// @return what is wrong with it, or null
    @Nullable String addContent(ByteBuffer piece) {
        ContentLength length = content;
        if (length == null) {
            return "content before the head";
        }
        int count = piece.remaining();
        if (count > 0 && (pending.call.isHead() || status == 204 || status == 304)) {
            return "content in a response that has none";
        }
        if (!length.add(count)) {
            return "more content than its length says";
        }
        return use == Use.BODY ? keep(piece, count) : null;
    }

    private @Nullable String keep(ByteBuffer piece, int count) {
        ByteArrayOutputStream body = kept == null ? new ByteArrayOutputStream(count) : kept;
        kept = body;
        if (body.size() + (long) count > bodyMax) {
            return "content of more than " + bodyMax + " bytes, the most that is kept";
        }
        var bytes = new byte[count];
        piece.get(bytes);
        body.write(bytes, 0, count);
        return null;
    }

    /// Whether the content may end here.
    boolean isComplete() {
        return content != null && content.isComplete();
    }

    long contentBytes() {
        return content == null ? 0 : content.received();
    }

    Reply reply() {
        return new Reply(
                pending.call,
                Outcome.OK,
                status,
                fields,
                contentBytes(),
                kept == null ? NOTHING : kept.toByteArray(),
                pending.firstNanos - pending.sentNanos,
                progressNanos - pending.firstNanos);
    }
}
