package dev.tandem.fastcgi;

import dev.tandem.cgi.Content;
import dev.tandem.cgi.ScriptHead;
import dev.tandem.cgi.ScriptHeadReader;
import dev.tandem.cgi.StderrLog;
import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.http.Status;
import dev.tandem.upstream.UpstreamConnection;
import dev.tandem.upstream.UpstreamException;
import dev.tandem.upstream.UpstreamOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One request over one connection: sends variables and content, receives the response, with
/// backpressure in both directions. Confined to the thread that runs the handler.
final class FastCgiExchange implements RecordReader.Streams {
    private static final int BUFFER = 16 << 10;

    /// Content up to this size is sent without reading at the same time: socket buffers hold it.
    private static final int SMALL_MAX = 64 << 10;

    /// How much of an unwanted document is read: 1 MiB.
    private static final int DISCARDED_MAX = 1 << 20;

    private final Exchange x;
    private final UpstreamConnection connection;
    private final UpstreamOptions options;
    private final boolean isKeepAlive;
    private final ScriptHeadReader reader;
    private final RecordWriter writer;
    private final RecordReader records;
    private final StderrLog errors;
    private @Nullable ScriptHead head;
    private @Nullable OutputStream out;
    private long outputCount;
    private boolean isUnflushed;
    private boolean isSent;

    FastCgiExchange(Exchange x, UpstreamConnection connection, FastCgiOptions options) {
        this.x = x;
        this.connection = connection;
        this.options = options.upstream();
        this.isKeepAlive = this.options.idleConnectionsMax() > 0;
        this.writer = new RecordWriter(connection);
        this.records = new RecordReader(writer.requestId());
        this.reader = new ScriptHeadReader(options.headMax());
        this.errors =
                new StderrLog(
                        "exchange " + x.id() + ": ",
                        line -> Log.LOG.log(System.Logger.Level.WARNING, line));
    }

    /// @return the path of a local redirect (RFC 3875, section 6.2.2), or null if the response is
    ///     complete
    /// @throws UpstreamException if the application closes the connection, times out, or does not
    ///     use FastCGI
    /// @throws HttpException 502 if the script's response is malformed, 503 if the application is
    ///     overloaded
    /// @throws IOException if the client has disconnected
    @Nullable String run(List<String> variables, Content content) throws IOException {
        connection.setTimeout(options.inactivityTimeout());
        writer.beginRequest(isKeepAlive);
        writer.params(variables);
        send(content);
        connection.setTimeout(options.responseTimeout());
        while (!records.isComplete()) {
            receive(!connection.read());
        }
        return finish();
    }

    /// Returns whether the connection can carry another request.
    boolean isReusable() {
        return isKeepAlive && isSent && records.isComplete();
    }

    /// Logs the rest of the script's errors.
    void endLog() {
        errors.endLine();
    }

    // ---- Sending.

    private void send(Content content) throws IOException {
        if (content.length() <= SMALL_MAX) {
            byte[] all = content.stream().readAllBytes();
            writer.stdin(all, 0, all.length);
            writer.endStdin();
            connection.flush();
            isSent = true;
            return;
        }
        var buffer = new byte[BUFFER];
        boolean isWanted = true;
        int count = content.stream().read(buffer);
        while (isWanted && count >= 0) {
            writer.stdin(buffer, 0, count);
            connection.setTimeout(options.inactivityTimeout());
            isWanted = connection.flush(this::receive);
            count = isWanted ? content.stream().read(buffer) : -1;
        }
        connection.setTimeout(options.inactivityTimeout());
        if (isWanted) {
            writer.endStdin();
            isSent = connection.flush(this::receive);
        }
        connection.setBlocking();
    }

    // ---- Receiving.

    /// @return whether more is expected
    private boolean receive(boolean isEnd) throws IOException {
        connection.clearTimeout(); // the response waits for a slow client, not for the application
        records.read(connection.input(), this);
        String error = records.error();
        if (error != null) {
            throw new UpstreamException("response rejected: " + error, null);
        }
        if (isEnd && !records.isComplete()) {
            throw new UpstreamException("closed the connection early", null);
        }
        OutputStream open = out;
        if (isUnflushed && open != null && !records.isComplete()) {
            isUnflushed = false;
            open.flush();
        }
        if (!records.isComplete()) {
            connection.setTimeout(options.inactivityTimeout());
        }
        return !records.isComplete();
    }

    @Override
    public void errors(byte[] bytes, int from, int to) {
        errors.append(bytes, from, to);
    }

    @Override
    public void output(byte[] bytes, int from, int to) throws IOException {
        int at = from;
        if (head == null) {
            at = reader.read(bytes, from, to);
            String error = reader.error();
            if (error != null) {
                throw malformedResponse(error);
            }
            if (reader.isComplete()) {
                startResponse(reader.head());
            }
        }
        writeDocument(bytes, at, to);
    }

    private void startResponse(ScriptHead read) throws IOException {
        head = read;
        if (read.localRedirect() != null) {
            return;
        }
        int status = read.responseStatus();
        x.status(status);
        List<String> headers = read.headers();
        for (int i = 0; i < headers.size(); i += 2) {
            x.addHeader(headers.get(i), headers.get(i + 1));
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

    private void writeDocument(byte[] bytes, int from, int to) throws IOException {
        OutputStream open = out;
        ScriptHead known = head;
        outputCount += to - from;
        if (open == null || known == null) {
            if (outputCount > DISCARDED_MAX) {
                throw malformedResponse("it sends too much of an unwanted document");
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

    // ---- End.

    private @Nullable String finish() throws IOException {
        int status = records.protocolStatus();
        ScriptHead known = head;
        if (status != 0 && known == null) {
            throw new HttpException(
                    status == 2 ? 503 : 502,
                    "the program behind this page accepts no more requests");
        }
        if (known == null) {
            throw malformedResponse(reader.incompleteReason());
        }
        OutputStream open = out;
        if (open != null) {
            if (known.length() >= 0 && outputCount < known.length()) {
                throw malformedResponse(
                        "it announced " + known.length() + " bytes, wrote " + outputCount);
            }
            open.close();
        }
        return known.localRedirect();
    }

    /// Returns the response for the client, which omits the reason; the log has it.
    private HttpException malformedResponse(String what) {
        Log.LOG.log(
                System.Logger.Level.WARNING, "exchange " + x.id() + ": response rejected: " + what);
        return new HttpException(502, "the program behind this page sent no valid response");
    }
}
