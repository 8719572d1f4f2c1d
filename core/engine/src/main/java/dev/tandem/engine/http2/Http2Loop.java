package dev.tandem.engine.http2;

import dev.tandem.engine.ContextKey;
import dev.tandem.engine.Engine;
import dev.tandem.engine.IoContext;
import dev.tandem.http.MalformedMessage;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.Status;
import dev.tandem.http.h2.HeadWriter;
import dev.tandem.http.h2.HeaderList;
import dev.tandem.http.h2.Http2RequestHead;
import dev.tandem.http.h2.PreparedHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// What the HTTP/2 connections of one event loop share, so that an idle one has no buffer. Made
/// with the loop's first connection; confined to the loop.
final class Http2Loop {
    private static final ContextKey<Http2Loop> KEY = ContextKey.of(Http2Loop.class);
    private static final byte[] NOTHING = {};

    /// The length of `Date: ` and of a line's end.
    private static final int DATE_FROM = 6;

    private static final int LINE_END = 2;

    private final Engine engine;
    private final IoContext context;
    private final Http2Config config;
    private final Http2Resolver resolver;
    private final HeaderList headers = new HeaderList();
    private final Http2RequestHead head = new Http2RequestHead();
    private final HeadWriter writer = new HeadWriter();

    /// Input on the heap, where decoding is fastest.
    private final byte[] input;

    /// The responses to malformed requests; their errors are constants.
    private final Map<MalformedMessage, PreparedResponse> malformed = new HashMap<>();

    private byte[] dateLine = NOTHING;
    private byte[] dateBlock = NOTHING;

    private Http2Loop(Engine engine, IoContext context) {
        this.engine = engine;
        this.context = context;
        this.config = Http2Config.of(engine);
        this.resolver = new Http2Resolver(engine, config.reading().areAmbiguousPathsAccepted());
        this.input = new byte[context.input().bytes().capacity()];
    }

    /// @param context the loop's
    static Http2Loop of(Engine engine, IoContext context) {
        Http2Loop known = context.get(KEY);
        if (known == null) {
            known = new Http2Loop(engine, context);
            context.put(KEY, known);
        }
        return known;
    }

    Engine engine() {
        return engine;
    }

    IoContext context() {
        return context;
    }

    Http2Config config() {
        return config;
    }

    Http2Resolver resolver() {
        return resolver;
    }

    HeaderList headers() {
        return headers;
    }

    Http2RequestHead head() {
        return head;
    }

    HeadWriter writer() {
        return writer;
    }

    byte[] input() {
        return input;
    }

    /// Returns the response to a malformed request: plain text, with none of its bytes, for no
    /// cache.
    PreparedResponse malformed(MalformedMessage error) {
        return malformed.computeIfAbsent(error, Http2Loop::response);
    }

    private static PreparedResponse response(MalformedMessage error) {
        int status = error.status();
        String text = status + " " + Status.reasonPhrase(status) + "\n" + error.reason() + "\n";
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        String headers =
                "Cache-Control: no-store\r\nContent-Type: text/plain; charset=utf-8\r\n"
                        + "Content-Length: "
                        + content.length
                        + "\r\n";
        ByteBuffer body = ByteBuffer.allocateDirect(content.length).put(content).flip();
        return new PreparedResponse(status, headers, body);
    }

    /// Returns the encoded `date` header of this second.
    byte[] date() {
        byte[] line = context.dateLine();
        if (line != dateLine) {
            int length = line.length - DATE_FROM - LINE_END;
            String value = new String(line, DATE_FROM, length, StandardCharsets.US_ASCII);
            dateBlock = PreparedHead.header("date", value);
            dateLine = line;
        }
        return dateBlock;
    }
}
