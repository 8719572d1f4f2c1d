package dev.tandem.load;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// Writes requests and responses line by line as httperf's `--print-request`, `--print-reply` and
/// `--debug` do: `SH` and `RH` precede lines of heads, `SB` and `RB` those of content, `SS` and
/// `RS` their sizes, each with the call's number. For inspecting a few calls: every response is
/// kept whole. Safe for use by any thread.
public final class Transcript {
    /// Which parts of a message are written.
    public enum Part {
        NOTHING,
        HEADER,
        BODY,
        ALL;

        private boolean has(Part part) {
            return this == ALL || this == part;
        }
    }

    private final Part requests;
    private final Part replies;
    private final boolean hasFailures;
    private final Consumer<String> lines;
    private final AtomicLong numbers = new AtomicLong();

    /// @param hasFailures whether failed calls are written, too
    /// @param lines receives lines without their ends; not called by two threads at once
    public Transcript(Part requests, Part replies, boolean hasFailures, Consumer<String> lines) {
        this.requests = requests;
        this.replies = replies;
        this.hasFailures = hasFailures;
        this.lines = lines;
    }

    /// Records that a request is sent.
    ///
    /// @return the call's number, from 0
    synchronized long sent(byte[] request) {
        long number = numbers.getAndIncrement();
        String text = new String(request, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n") + 4;
        write(requests, "S", number, text.substring(0, end), text.substring(end));
        if (requests == Part.ALL) {
            int content = text.length() - end;
            lines.accept("SS" + number + ": header " + end + " content " + content);
        }
        return number;
    }

    /// Records a complete response.
    synchronized void received(long number, ReplyDecoder reply) {
        String content = new String(reply.body(), StandardCharsets.ISO_8859_1);
        write(replies, "R", number, reply.head(), content);
        if (replies == Part.ALL) {
            lines.accept(
                    "RS%d: header %d content %d footer %d"
                            .formatted(
                                    number,
                                    reply.headBytes(),
                                    reply.contentBytes(),
                                    reply.footerBytes()));
        }
    }

    /// Records that a call has failed; it may be repeated.
    synchronized void failed(long number, Outcome outcome) {
        if (hasFailures) {
            lines.accept("call " + number + ": " + outcome.word());
        }
    }

    private void write(Part part, String side, long number, String head, String content) {
        if (part.has(Part.HEADER)) {
            head.stripTrailing().lines().forEach(l -> lines.accept(side + "H" + number + ":" + l));
        }
        if (part.has(Part.BODY)) {
            content.lines().forEach(line -> lines.accept(side + "B" + number + ":" + line));
        }
    }
}
