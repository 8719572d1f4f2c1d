package dev.tandem.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.HttpException;
import dev.tandem.http.TraceParent;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Requests of a real server, exported over OTLP by the official SDK to a collector that is a
/// Tandem server itself.
class OpenTelemetryFilterTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final Server collector;
    private final Server server;
    private final OpenTelemetrySdk telemetry;

    OpenTelemetryFilterTest() throws IOException {
        collector =
                Tandem.listen("127.0.0.1", 0)
                        .post(
                                "/v1/traces",
                                x -> {
                                    byte[] body = x.request().body().readAllBytes();
                                    received.add(new String(body, StandardCharsets.ISO_8859_1));
                                    x.send();
                                })
                        .start();
        String endpoint = "http://127.0.0.1:" + collector.port() + "/v1/traces";
        var exporter = OtlpHttpSpanExporter.builder().setEndpoint(endpoint).build();
        var provider =
                SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                        .build();
        telemetry = OpenTelemetrySdk.builder().setTracerProvider(provider).build();
        server =
                Tandem.listen("127.0.0.1", 0)
                        .filter(new OpenTelemetryFilter(telemetry))
                        .get("/item/{id}", x -> x.send(x.attribute("traceparent") + ""))
                        .get("/current", x -> x.send(Span.current().getSpanContext().getTraceId()))
                        .get(
                                "/gone",
                                x -> {
                                    throw new HttpException(410, "gone");
                                })
                        .get(
                                "/broken",
                                x -> {
                                    throw new IllegalStateException("broken");
                                })
                        .start();
    }

    @AfterEach
    void stop() {
        telemetry.close();
        server.stop(Duration.ZERO);
        collector.stop(Duration.ZERO);
    }

    private RawResponse ask(String path, String field) throws IOException {
        try (var client = RawClient.connect(server.address())) {
            return client.send("GET " + path + " HTTP/1.1\nHost: a\n" + field + "\n").response();
        }
    }

    private String span() throws InterruptedException {
        return String.valueOf(received.poll(20, TimeUnit.SECONDS));
    }

    /// Returns a protobuf bytes field.
    private static String bytes(String hex) {
        return new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
    }

    @Test
    void spanIsPartOfClientsTrace() throws Exception {
        RawResponse response = ask("/item/7", "traceparent: 00-" + TRACE + "-" + PARENT + "-01\n");
        TraceParent own = Objects.requireNonNull(TraceParent.parse(response.text()));
        assertEquals(TRACE, own.traceId());
        assertNotEquals(PARENT, own.parentId());
        String span = span();
        assertTrue(span.contains("GET /item/{id}"));
        assertTrue(span.contains("/item/7"));
        assertTrue(span.contains(bytes(TRACE)) && span.contains(bytes(PARENT)));
        assertTrue(span.contains(bytes(own.parentId())));
    }

    @Test
    void malformedTraceParentStartsNewTrace() throws Exception {
        RawResponse response = ask("/current", "traceparent: 00-" + TRACE + "-0-01\n");
        assertEquals(32, response.text().length());
        assertNotEquals(TRACE, response.text());
        assertTrue(span().contains(bytes(response.text())));
    }

    @Test
    void failuresAreRecorded() throws Exception {
        assertEquals(410, ask("/gone", "").status());
        assertTrue(span().contains("http.response.status_code"));
        try (LogCapture log = LogCapture.of("dev.tandem.engine")) {
            String parent = "traceparent: 00-" + TRACE + "-" + PARENT + "-01\n";
            assertEquals(500, ask("/broken", parent).status());
            assertTrue(span().contains("java.lang.IllegalStateException"));
            assertEquals(1, log.messages(line -> line.contains(" of trace " + TRACE)).size());
        }
    }
}
