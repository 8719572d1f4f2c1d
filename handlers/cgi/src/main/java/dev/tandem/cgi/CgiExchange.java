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

/// Passes a request's body to its program and the program's response to the client, with
/// backpressure in both directions. Confined to the thread that runs the handler.
final class CgiExchange {
    private static final int BUFFER = 16 << 10;

    /// Maximum time that output stays in the buffer while the program produces more: 10 ms. Most
    /// programs end right after writing, and then the response is sent in one piece with its
    /// length.
    private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /// Interval of the checks for a stopping server or a disconnected client: 250 ms.
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /// How much of an unwanted document is read before its program is stopped: 1 MiB. Programs that
    /// are stopped early may leave their work incomplete.
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

    /// Receives the document; null before the head, and if the document is discarded.
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

    /// Runs until the program has ended its output.
    ///
    /// @return the path of a local redirect (RFC 3875, section 6.2.2), or null if the response is
    ///     complete
    /// @throws HttpException 502 if the response is malformed, 504 if it is late
    /// @throws IOException if the client has disconnected
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
            throw new HttpException(503, "the server is stopping");
        }
        if (now - checkedNanos >= CHECK_NANOS) {
            checkedNanos = now;
            if (x.isClientDisconnected()) {
                throw new IOException("the client has disconnected");
            }
        }
        OutputStream to = out;
        if (isUnflushed && to != null && now - unflushedNanos >= FLUSH_NANOS) {
            to.flush();
            isUnflushed = false;
        }
        if (!isOutputEnded && nanosLeft(now) <= 0) {
            running.warn("it took too long, and was killed");
            throw new HttpException(504, "the program behind this page took too long");
        }
    }

    // ---- Input of the program.

    private void writeInput() throws IOException {
        if (inputFrom == inputTo) {
            readContent();
        }
        int count = process.write(input, inputFrom, inputTo);
        if (count < 0) {
            inputLeft = 0; // the program reads no more
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

    // ---- Output of the program.

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

    // ---- End of output.

    private @Nullable String finish() throws IOException {
        ScriptHead known = head;
        if (known == null) {
            throw malformedResponse(reader.incompleteReason());
        }
        OutputStream open = out;
        if (open != null) {
            checkLength(known.length());
            checkEnd(known.length());
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

    /// A program that a signal has ended, as the kernel does for lack of memory, has not written
    /// all that it would have, unless it has announced its length.
    private void checkEnd(long announced) {
        int signal = announced < 0 ? running.endSignal() : 0;
        if (signal != 0) {
            throw malformedResponse("signal " + signal + " has ended the program");
        }
    }

    /// Returns the response for the client, which omits the reason; the log has it.
    private HttpException malformedResponse(String what) {
        running.warn("response rejected: " + what);
        return new HttpException(502, "the program behind this page sent no valid response");
    }
}
