package dev.tandem.fastcgi;

import dev.tandem.cgi.Content;
import dev.tandem.cgi.ErrorLines;
import dev.tandem.cgi.ScriptHead;
import dev.tandem.cgi.ScriptHeadReader;
import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.http.Status;
import dev.tandem.upstream.UpstreamException;
import dev.tandem.upstream.UpstreamOptions;
import dev.tandem.upstream.Wire;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One request over one connection: variables and body out, the answer in, both at the pace of
/// whoever is slower. Confined to the thread that runs the handler.
final class Conversation implements RecordReader.Streams {
    private static final int PIECE = 16 << 10;

    /// Until so much of a body, it is sent without a look at what comes back: sockets hold it.
    private static final int SMALL_MAX = 64 << 10;

    /// How much of a document nobody asked for is taken: 1 MiB.
    private static final int DISCARDED_MAX = 1 << 20;

    private final Exchange x;
    private final Wire wire;
    private final UpstreamOptions times;
    private final boolean isKept;
    private final ScriptHeadReader reader;
    private final RecordReader records = new RecordReader();
    private final ErrorLines errors;
    private @Nullable ScriptHead head;
    private @Nullable OutputStream out;
    private long outputCount;
    private boolean isUnflushed;
    private boolean isSent;

    Conversation(Exchange x, Wire wire, FastCgiOptions options) {
        this.x = x;
        this.wire = wire;
        this.times = options.upstream();
        this.isKept = times.idleCountMax() > 0;
        this.reader = new ScriptHeadReader(options.headMax());
        this.errors =
                new ErrorLines(
                        "exchange " + x.id() + ": ",
                        line -> Log.LOG.log(System.Logger.Level.WARNING, line));
    }

    /// @return the path to answer with instead (RFC 3875, section 6.2.2), or null if it is
    ///     answered
    /// @throws UpstreamException if the application breaks off, is too slow, or is no application
    /// @throws HttpException 502 if the script's answer is none, 503 if the application is
    ///     overloaded
    /// @throws IOException if the client is gone
    @Nullable String run(List<String> variables, Content content) throws IOException {
        var writer = new Records(wire);
        wire.askFor(x::isClientDisconnected);
        wire.within(times.silenceMax());
        writer.begin(isKept);
        writer.params(variables);
        send(writer, content);
        wire.within(times.answerMax());
        while (!records.isDone()) {
            boolean isEnd = !wire.read();
            wire.within(times.silenceMax());
            take(isEnd);
        }
        return finish();
    }

    /// Whether the connection can carry another request.
    boolean isReusable() {
        return isKept && isSent && records.isDone();
    }

    /// Logs what is left of the script's errors.
    void end() {
        errors.end();
    }

    // ---- Out.

    private void send(Records writer, Content content) throws IOException {
        if (content.length() <= SMALL_MAX) {
            byte[] body = content.isEmpty() ? new byte[0] : content.stream().readAllBytes();
            writer.stdin(body, 0, body.length);
            writer.endStdin();
            wire.flush();
            isSent = true;
            return;
        }
        var piece = new byte[PIECE];
        boolean isGoingOn = true;
        int count = content.stream().read(piece);
        while (isGoingOn && count >= 0) {
            writer.stdin(piece, 0, count);
            wire.within(times.silenceMax());
            isGoingOn = wire.flush(this::take);
            count = isGoingOn ? content.stream().read(piece) : -1;
        }
        if (isGoingOn) {
            writer.endStdin();
            isSent = wire.flush(this::take);
        }
        wire.block();
    }

    // ---- In.

    /// @return whether more is wanted
    private boolean take(boolean isEnd) throws IOException {
        records.take(wire.input(), this);
        String wrong = records.bad();
        if (wrong != null) {
            throw new UpstreamException("answer refused: " + wrong, null);
        }
        if (isEnd && !records.isDone()) {
            throw new UpstreamException("broke off", null);
        }
        OutputStream open = out;
        if (isUnflushed && open != null && !records.isDone()) {
            isUnflushed = false;
            open.flush();
        }
        return !records.isDone();
    }

    @Override
    public void errors(byte[] bytes, int from, int to) {
        errors.add(bytes, from, to);
    }

    @Override
    public void output(byte[] bytes, int from, int to) throws IOException {
        int at = from;
        if (head == null) {
            at = reader.read(bytes, from, to);
            String bad = reader.bad();
            if (bad != null) {
                throw broken(bad);
            }
            if (reader.isDone()) {
                begin(reader.head());
            }
        }
        pass(bytes, at, to);
    }

    private void begin(ScriptHead read) throws IOException {
        head = read;
        if (read.localRedirect() != null) {
            return;
        }
        int status = read.answerStatus();
        x.status(status);
        List<String> fields = read.fields();
        for (int i = 0; i < fields.size(); i += 2) {
            x.addHeader(fields.get(i), fields.get(i + 1));
        }
        if (x.method().equals("HEAD") || !Status.allowsContent(status)) {
            x.send(new Body.Stream(read.length(), _ -> {}));
            return;
        }
        if (read.length() >= 0) {
            x.header("Content-Length", Long.toString(read.length()));
        }
        out = x.outputStream();
    }

    private void pass(byte[] bytes, int from, int to) throws IOException {
        OutputStream open = out;
        ScriptHead known = head;
        outputCount += to - from;
        if (open == null || known == null) {
            if (outputCount > DISCARDED_MAX) {
                throw broken("it goes on and on, though nobody wants its document");
            }
            return;
        }
        int surplus = 0;
        if (known.length() >= 0 && outputCount > known.length()) {
            surplus = (int) Math.min(outputCount - known.length(), to - from);
        }
        open.write(bytes, from, to - from - surplus);
        isUnflushed = true;
    }

    // ---- The end.

    private @Nullable String finish() throws IOException {
        int status = records.protocolStatus();
        ScriptHead known = head;
        if (status != 0 && known == null) {
            throw new HttpException(
                    status == 2 ? 503 : 502, "the program behind this page takes no more requests");
        }
        if (known == null) {
            throw broken(reader.whatIsMissing());
        }
        OutputStream open = out;
        if (open != null) {
            if (known.length() >= 0 && outputCount < known.length()) {
                throw broken("it announced " + known.length() + " bytes, wrote " + outputCount);
            }
            open.close();
        }
        return known.localRedirect();
    }

    /// The client is told that, not what: the log has it.
    private HttpException broken(String what) {
        Log.LOG.log(
                System.Logger.Level.WARNING, "exchange " + x.id() + ": answer refused: " + what);
        return new HttpException(502, "the program behind this page gave no proper answer");
    }
}
