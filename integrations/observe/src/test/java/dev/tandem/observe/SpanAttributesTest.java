package dev.tandem.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.HttpException;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Names and attributes of spans, by OpenTelemetry's conventions for HTTP server spans.
class SpanAttributesTest {
    private final BlockingQueue<SpanData> spans = new LinkedBlockingQueue<>();
    private final OpenTelemetrySdk telemetry =
            OpenTelemetrySdk.builder()
                    .setTracerProvider(
                            SdkTracerProvider.builder().addSpanProcessor(new Kept(spans)).build())
                    .build();
    private final Server server;

    SpanAttributesTest() throws IOException {
        server =
                Tandem.listen("127.0.0.1", 0)
                        .filter(new OpenTelemetryFilter(telemetry))
                        .route("*", "/item/{id}", x -> x.send("item"))
                        .get(
                                "/busy",
                                x -> {
                                    throw new HttpException(503, "busy");
                                })
                        .get(
                                "/broken",
                                x -> {
                                    throw new IllegalStateException("broken");
                                })
                        .start();
    }

    /// Keeps the spans that have ended.
    private record Kept(BlockingQueue<SpanData> spans) implements SpanProcessor {
        @Override
        public void onStart(Context parent, ReadWriteSpan span) {}

        @Override
        public boolean isStartRequired() {
            return false;
        }

        @Override
        public void onEnd(ReadableSpan span) {
            spans.add(span.toSpanData());
        }

        @Override
        public boolean isEndRequired() {
            return true;
        }
    }

    @AfterEach
    void stop() {
        telemetry.close();
        server.stop(Duration.ZERO);
    }

    private SpanData ask(String head) throws Exception {
        try (var client = RawClient.connect(server.address())) {
            client.send(head + "\n\n").response();
        }
        return span();
    }

    private SpanData span() throws InterruptedException {
        return Objects.requireNonNull(spans.poll(20, TimeUnit.SECONDS));
    }

    private static Map<String, String> attributes(SpanData span) {
        var all = new TreeMap<String, String>();
        span.getAttributes().forEach((key, value) -> all.put(key.getKey(), value.toString()));
        all.remove("tandem.exchange");
        return all;
    }

    @Test
    void spanHasTheConventionsAttributes() throws Exception {
        SpanData span =
                ask(
                        "GET /item/7?a=b&sig=secret&c HTTP/1.1\nHost: shop.example:8443\n"
                                + "User-Agent: test/1");
        assertEquals("GET /item/{id}", span.getName());
        var expected = new TreeMap<String, String>();
        expected.put("client.address", "127.0.0.1");
        expected.put("http.request.method", "GET");
        expected.put("http.response.status_code", "200");
        expected.put("http.route", "/item/{id}");
        expected.put("network.protocol.version", "1.1");
        expected.put("server.address", "shop.example");
        expected.put("server.port", "8443");
        expected.put("url.path", "/item/7");
        expected.put("url.query", "a=b&sig=REDACTED&c");
        expected.put("url.scheme", "http");
        expected.put("user_agent.original", "test/1");
        assertEquals(expected, attributes(span));
    }

    @Test
    void unknownMethodAndMissingRouteAreNamedByTheConventions() throws Exception {
        SpanData unknown = ask("BREW /item/7 HTTP/1.1\nHost: [::1]");
        assertEquals("HTTP /item/{id}", unknown.getName());
        Map<String, String> attributes = attributes(unknown);
        assertEquals("_OTHER", attributes.get("http.request.method"));
        assertEquals("BREW", attributes.get("http.request.method_original"));
        assertEquals("[::1]", attributes.get("server.address"));
        assertEquals("80", attributes.get("server.port"));
        SpanData missing = ask("GET /nothing HTTP/1.1\nHost: a");
        assertEquals("GET", missing.getName());
        assertFalse(attributes(missing).containsKey("http.route"));
        assertEquals("404", attributes(missing).get("http.response.status_code"));
        assertFalse(attributes(missing).containsKey("error.type"));
    }

    @Test
    void errorsHaveTheirType() throws Exception {
        assertEquals("503", attributes(ask("GET /busy HTTP/1.1\nHost: a")).get("error.type"));
        try (LogCapture _ = LogCapture.of("dev.tandem.engine")) {
            Map<String, String> broken = attributes(ask("GET /broken HTTP/1.1\nHost: a"));
            assertEquals("java.lang.IllegalStateException", broken.get("error.type"));
            assertEquals("500", broken.get("http.response.status_code"));
        }
    }

    @Test
    void versionOfHttp2Is2() throws Exception {
        byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] settings = {0, 0, 0, 4, 0, 0, 0, 0, 0};
        // Indexed :method GET and :scheme http, literal :path and :authority (RFC 7541).
        byte[] path = "/item/1".getBytes(StandardCharsets.US_ASCII);
        byte[] headers = {
            0, 0, (byte) (7 + path.length), 1, 5, 0, 0, 0, 1, (byte) 0x82, (byte) 0x86
        };
        try (var client = new Socket("127.0.0.1", server.port())) {
            var out = new ByteArrayOutputStream();
            out.writeBytes(preface);
            out.writeBytes(settings);
            out.writeBytes(headers);
            out.write(0x04);
            out.write(path.length);
            out.writeBytes(path);
            out.writeBytes(new byte[] {0x41, 1, 'a'});
            client.getOutputStream().write(out.toByteArray());
            SpanData span = span();
            assertEquals("GET /item/{id}", span.getName());
            assertEquals("2", attributes(span).get("network.protocol.version"));
            assertEquals("a", attributes(span).get("server.address"));
        }
    }
}
