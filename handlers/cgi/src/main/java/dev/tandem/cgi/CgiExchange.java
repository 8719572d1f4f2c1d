package dev.tandem.cgi;

import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.http.Status;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Passes a request's body to its program and the program's answer to the client, both at the pace
/// of whoever is slower. Confined to the thread that runs the handler.
final class CgiExchange {
    private static final int BUFFER = 16 << 10;

    /// How long output may lie here while the program makes more: 10 ms. Most programs end right
    /// after they have written, and their answer goes in one piece with its length.
    private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /// How long a wait goes on before this looks whether the server stops, or the client has left:
    /// 250 ms.
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /// How much of a document nobody asked for is taken before its program is stopped: 1 MiB.
    /// Programs that are cut short may leave their work undone.
    private static final int DISCARDED_MAX = 1 << 20;

    private final Exchange x;
    private final RunningProgram running;
    private final ScriptProcess process;
    private final CgiOptions options;
    private final ScriptHeadReader reader;
    private final byte[] buffer = new byte[BUFFER];

    private final Content content;
    private long inputLeft;
    private byte[] input = {};
    private int inputFrom;
    private int inputTo;

    private @Nullable ScriptHead head;

    /// Where the document goes; null before the head, and if nobody wants it.
    private @Nullable OutputStream out;

    private long outputCount;
    private boolean isUnflushed;
    private long unflushedNanos;
    private boolean isOutputEnded;
    private long progressNanos;
    private long checkedNanos;

    CgiExchange(Exchange x, RunningProgram running, Content content, CgiOptions options) {
        this.x = x;
        this.running = running;
        this.process = running.process();
        this.content = content;
        this.inputLeft = content.length();
        this.options = options;
        this.reader = new ScriptHeadReader(options.headMax());
    }

    /// Goes on until the program has ended its output.
    ///
    /// @return the path to answer with instead (RFC 3875, section 6.2.2), or null if it is answered
    /// @throws HttpException 502 if the answer is none, 504 if it does not come in time
    /// @throws IOException if the client is gone
    @Nullable String run() throws IOException {
        progressNanos = System.nanoTime();
        checkedNanos = progressNanos;
        if (content.isEmpty()) {
            process.closeInput();
        }
        while (!isOutputEnded) {
            int ready = process.await(hasInput(), waitNanos());
            if ((ready & ScriptProcess.ERRORS) != 0) {
                running.errors().readFrom(process, buffer);
            }
            if ((ready & ScriptProcess.OUTPUT) != 0) {
                readOutput();
            }
            if ((ready & ScriptProcess.INPUT) != 0) {
                writeInput();
            }
            checkTime();
        }
        return finish();
    }

    private boolean hasInput() {
        return inputLeft > 0 || inputFrom < inputTo;
    }

    // ---- Time.

    private long waitNanos() {
        long most = isUnflushed ? FLUSH_NANOS : CHECK_NANOS;
        return Math.clamp(nanosLeft(System.nanoTime()), 0, most);
    }

    private long nanosLeft(long now) {
        long silence = options.inactivityTimeout().toNanos() - (now - progressNanos);
        return Math.min(silence, running.deadlineNanos() - now);
    }

    private void checkTime() throws IOException {
        long now = System.nanoTime();
        if (Thread.currentThread().isInterrupted()) {
            throw new HttpException(503, "the server stops");
        }
        if (now - checkedNanos >= CHECK_NANOS) {
            checkedNanos = now;
            if (x.isClientDisconnected()) {
                throw new IOException("the client has left");
            }
        }
        OutputStream to = out;
        if (isUnflushed && to != null && now - unflushedNanos >= FLUSH_NANOS) {
            to.flush();
            isUnflushed = false;
        }
        if (!isOutputEnded && nanosLeft(now) <= 0) {
            running.warn("it took too long, and is killed");
            throw new HttpException(504, "the program behind this page took too long");
        }
    }

    // ---- To the program.

    private void writeInput() throws IOException {
        if (inputFrom == inputTo) {
            readContent();
        }
        int count = process.write(input, inputFrom, inputTo);
        if (count < 0) {
            inputLeft = 0; // it has seen enough
            inputFrom = inputTo;
        } else {
            inputFrom += count;
        }
        if (!hasInput()) {
            process.closeInput();
        }
        progressNanos = System.nanoTime();
    }

    private void readContent() throws IOException {
        if (input.length == 0) {
            input = new byte[(int) Math.min(BUFFER, inputLeft)];
        }
        inputFrom = 0;
        int most = (int) Math.min(input.length, inputLeft);
        inputTo = Math.max(0, content.stream().read(input, 0, most));
        inputLeft = inputTo == 0 ? 0 : inputLeft - inputTo;
    }

    // ---- From the program.

    private void readOutput() throws IOException {
        int count = process.readOutput(buffer);
        isOutputEnded = count < 0;
        if (count > 0) {
            int from = head == null ? readHead(count) : 0;
            writeDocument(from, count);
            progressNanos = System.nanoTime();
        }
    }

    /// @return where the document begins in the buffer
    private int readHead(int count) throws IOException {
        int from = reader.read(buffer, 0, count);
        String error = reader.error();
        if (error != null) {
            throw malformedResponse(error);
        }
        if (reader.isComplete()) {
            ScriptHead read = reader.head();
            head = read;
            startResponse(read);
        }
        return from;
    }

    private void startResponse(ScriptHead head) throws IOException {
        if (head.localRedirect() != null) {
            return;
        }
        int status = head.responseStatus();
        x.status(status);
        List<String> headers = head.headers();
        for (int i = 0; i < headers.size(); i += 2) {
            x.addHeader(headers.get(i), headers.get(i + 1));
        }
        if (x.method().equals("HEAD") || !Status.allowsContent(status)) {
            x.send(new Body.Stream(head.length(), _ -> {})); // section 4.3.3
            return;
        }
        if (head.length() >= 0) {
            x.header("Content-Length", Long.toString(head.length()));
        }
        out = x.outputStream();
    }

    private void writeDocument(int from, int to) throws IOException {
        OutputStream open = out;
        ScriptHead known = head;
        outputCount += to - from;
        if (open == null || known == null) {
            isOutputEnded = outputCount > DISCARDED_MAX;
            return;
        }
        int surplus = 0;
        if (known.length() >= 0 && outputCount > known.length()) {
            surplus = (int) Math.min(outputCount - known.length(), to - from);
        }
        open.write(buffer, from, to - from - surplus);
        if (!isUnflushed) {
            isUnflushed = true;
            unflushedNanos = System.nanoTime();
        }
    }

    // ---- The end.

    private @Nullable String finish() throws IOException {
        ScriptHead known = head;
        if (known == null) {
            throw malformedResponse(reader.incompleteReason());
        }
        OutputStream open = out;
        if (open != null) {
            checkLength(known.length());
            open.close();
        }
        return known.localRedirect();
    }

    private void checkLength(long announced) {
        if (announced >= 0 && outputCount < announced) {
            throw malformedResponse(
                    "it announced " + announced + " bytes and wrote " + outputCount);
        }
        if (announced >= 0 && outputCount > announced) {
            running.warn("it announced " + announced + " bytes and wrote more, which are dropped");
        }
    }

    /// The client is told that, not what: the log has it.
    private HttpException malformedResponse(String what) {
        running.warn("answer refused: " + what);
        return new HttpException(502, "the program behind this page gave no proper answer");
    }
}
