package dev.tandem.load;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// Writes down what is asked and answered, line by line as httperf's `--print-request`,
/// `--print-reply` and `--debug` do: `SH` and `RH` stand before lines of heads, `SB` and `RB`
/// before those of content, `SS` and `RS` before their sizes, each with the call's number. For
/// looking at a few calls: every answer is kept whole. Safe for use by any thread.
public final class Transcript {
    /// What is written of a message.
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

    /// @param hasFailures whether calls that fail are written, too
    /// @param lines takes lines without their ends; not called by two threads at once
    public Transcript(Part requests, Part replies, boolean hasFailures, Consumer<String> lines) {
        this.requests = requests;
        this.replies = replies;
        this.hasFailures = hasFailures;
        this.lines = lines;
    }

    /// A request goes out.
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

    /// An answer is whole.
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

    /// A call has failed, and may be made again.
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
