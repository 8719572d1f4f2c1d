package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.Networks;
import dev.tandem.engine.Served;
import dev.tandem.http.h2.DefenceLedger.Cost;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.Settings;
import dev.tandem.net.Network;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Floods over sockets, in clear text and over TLS, one for each [cost][Cost] that needs no time:
/// the flooding connection is closed with the right error, one line in the log and metrics, and
/// another client is served meanwhile. [Http2AttacksTest] has stalled windows and half-open streams
/// in virtual time.
@Timeout(120)
class Http2FloodsTest {
    private static final byte[] LARGE = new byte[3_000_000];
    private static final int BATCH = 100;
    private static final int BATCHES = 3_000;
    private static final int BATCHES_PER_CHECK = 10;
    private static final int STREAMS = 100;
    private static final int DATA = 0;

    /// Over the slower networks.
    private static final Set<Flood> FEW = EnumSet.of(Flood.RAPID_RESET, Flood.CONTINUATION_EMPTY);

    private final CountDownLatch release = new CountDownLatch(1);

    /// What is sent again and again.
    private enum Flood {
        /// CVE-2023-44487.
        RAPID_RESET(EnumSet.of(Cost.RESET_RUNNING, Cost.RESET_QUEUED)) {
            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                int id = client.write("GET", "/wait", true);
                FrameWriter.resetStream(out, id, ErrorCode.CANCEL);
            }
        },
        /// MadeYouReset, CVE-2025-8671: WINDOW_UPDATE of 0.
        MADE_YOU_RESET(EnumSet.of(Cost.RESET_SENT)) {
            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                frame(out, 4, 8, client.write("GET", "/hello", false)).putInt(0);
            }
        },
        /// More streams than the server allows, which stay open.
        HALF_OPEN(EnumSet.of(Cost.STREAM_REFUSED)) {
            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                client.write("POST", "/echo", false);
            }
        },
        /// CVE-2024-27316: a block that does not end.
        CONTINUATION(EnumSet.of(Cost.CONTINUATION)) {
            @Override
            String cause(Cost cost) {
                return BLOCK;
            }

            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                if (number == 0) {
                    frame(out, 0, 1, client.nextId());
                }
                frame(out, 1, 9, client.nextId()).put((byte) 0);
            }
        },
        /// CVE-2026-33871.
        CONTINUATION_EMPTY(EnumSet.of(Cost.CONTINUATION_EMPTY)) {
            @Override
            String cause(Cost cost) {
                return BLOCK;
            }

            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                if (number == 0) {
                    frame(out, 0, 1, client.nextId());
                }
                frame(out, 0, 9, client.nextId());
            }
        },
        /// A list of 1.9 MB for each request, at a byte for each header, with closed windows
        /// (CVE-2026-49975).
        HEADER_BOMB(EnumSet.of(Cost.HEADERS_TOO_LARGE)) {
            @Override
            Settings settings() {
                return CLOSED;
            }

            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                if (number < 2) { // the first adds the header to the table
                    client.write("GET", "/now", true, BOMB);
                } else {
                    client.writeAgain();
                }
            }
        },
        /// More cookie crumbs than a header list may have.
        COOKIE_CRUMBS(EnumSet.of(Cost.HEADERS_TOO_LARGE)) {
            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                client.write("GET", "/now", true, CRUMBS);
            }
        },
        SETTINGS(EnumSet.of(Cost.SETTINGS)) {
            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                FrameWriter.settings(out, Settings.CLIENT);
            }
        },
        ACKNOWLEDGEMENT(EnumSet.of(Cost.ACKNOWLEDGEMENT)) {
            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                FrameWriter.ping(out, number, true);
            }
        },
        PING(EnumSet.of(Cost.PING)) {
            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                FrameWriter.ping(out, number, false);
            }
        },
        PRIORITY(EnumSet.of(Cost.PRIORITY)) {
            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                frame(out, 5, 2, 1).putInt(3).put((byte) 7);
            }
        },
        PRIORITY_UPDATE(EnumSet.of(Cost.PRIORITY)) {
            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                frame(out, 7, 16, 0).putInt(1).put(new byte[] {'u', '=', '1'});
            }
        },
        WINDOW_UPDATE(EnumSet.of(Cost.WINDOW_UPDATE)) {
            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                FrameWriter.windowUpdate(out, 0, 1);
            }
        },
        /// A byte for each of a hundred responses, again and again.
        WINDOW_DRIP(EnumSet.of(Cost.WINDOW_DRIP)) {
            @Override
            boolean isPaced() {
                return true;
            }

            @Override
            Settings settings() {
                return CLOSED;
            }

            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                if (number < STREAMS) {
                    client.write("GET", "/large", true);
                }
                FrameWriter.windowUpdate(out, 1 + 2 * (number % STREAMS), 1);
            }
        },
        DATA_EMPTY(EnumSet.of(Cost.DATA_EMPTY)) {
            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                if (number == 0) {
                    client.write("POST", "/echo", false);
                }
                FrameWriter.data(out, 1, 0, false);
            }
        },
        /// Content of a stream that the server has reset.
        IGNORED(EnumSet.of(Cost.FRAME_IGNORED)) {
            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                if (number == 0) {
                    frame(out, 4, 8, client.write("POST", "/echo", false)).putInt(0);
                }
                frame(out, 1, DATA, 1).put((byte) 0);
            }
        },
        UNKNOWN(EnumSet.of(Cost.UNKNOWN_FRAME)) {
            @Override
            void write(Http2Client client, ByteBuffer out, int number) {
                frame(out, 0, 0xAA, 0);
            }
        };

        private static final String BLOCK = "more than 16 CONTINUATION frames";
        private static final Settings CLOSED = Settings.CLIENT.withInitialWindowSize(0);
        private static final String[] BOMB = fields(1_000, "x-bomb", "x".repeat(1_900));
        private static final String[] CRUMBS = fields(300, "cookie", "a=0123456789012345");

        /// Which of them may have cost the most.
        final Set<Cost> costs;

        Flood(Set<Cost> costs) {
            this.costs = Collections.unmodifiableSet(costs);
        }

        Settings settings() {
            return Settings.CLIENT;
        }

        /// Whether the server must have processed a batch before the next one.
        boolean isPaced() {
            return false;
        }

        /// What the log says of it.
        String cause(Cost cost) {
            return "mostly " + cost;
        }

        /// @param number of the frame, from 0
        abstract void write(Http2Client client, ByteBuffer out, int number);

        private static ByteBuffer frame(ByteBuffer out, int length, int type, int streamId) {
            return out.putInt(length << 8 | type).put((byte) 0).putInt(streamId);
        }

        private static String[] fields(int count, String name, String value) {
            var fields = new String[2 * count];
            for (int i = 0; i < fields.length; i += 2) {
                fields[i] = name;
                fields[i + 1] = value;
            }
            return fields;
        }
    }

    @AfterEach
    void release() {
        release.countDown();
    }

    static List<Arguments> floods() {
        var cases = new ArrayList<Arguments>();
        for (Named<Network> network : Networks.usable()) {
            boolean isUsual =
                    network.getPayload().name().equals(Network.best().name())
                            || network.getName().contains("BoringSSL");
            for (Flood flood : isUsual ? EnumSet.allOf(Flood.class) : FEW) {
                cases.add(Arguments.of(network, flood));
            }
        }
        return cases;
    }

    private Served serve(Network network) {
        return Served.on(
                network,
                Options.DEFAULT,
                t ->
                        t.manage("127.0.0.1", 0)
                                .get("/large", x -> x.send(LARGE))
                                .get(
                                        "/wait",
                                        x -> {
                                            if (!release.await(60, TimeUnit.SECONDS)) {
                                                throw new AssertionError("not released");
                                            }
                                            x.send("waited");
                                        })
                                .post("/echo", x -> x.send(x.request().body().readAllBytes())));
    }

    @ParameterizedTest
    @MethodSource
    void floods(Network network, Flood flood) throws IOException {
        try (var log = LogCapture.of("dev.tandem.engine");
                Served served = serve(network);
                Http2Client honest = client(network, served, Settings.CLIENT).roundTrip();
                Http2Client client = client(network, served, flood.settings())) {
            client.keepWindows().roundTrip();
            send(flood, client, honest);
            Patience.until("the flood is closed", () -> served.server().connectionCount() == 1);
            // A reset may overtake GOAWAY, as more was sent: that it was sent is a metric.
            assertTrue(client.goAway() == null || client.goAway() == ErrorCode.ENHANCE_YOUR_CALM);
            assertEquals("Hello, World!", honest.fetch("/hello").text());
            assertNull(honest.goAway());

            List<String> lines = log.messages(line -> line.contains("costs more than it uses"));
            assertEquals(1, lines.size(), lines::toString);
            Cost cost =
                    flood.costs.stream()
                            .filter(each -> lines.getFirst().endsWith(": " + flood.cause(each)))
                            .findFirst()
                            .orElseThrow(() -> new AssertionError(lines));
            String metrics = metrics(served);
            String goAway = "tandem_http2_goaways_total{code=\"enhance_your_calm\"} 1\n";
            assertTrue(metrics.contains(goAway), metrics);
            String name = cost.name().toLowerCase(Locale.ROOT);
            assertTrue(metrics.contains("costs_total{cost=\"" + name + "\"}"), metrics);
        }
    }

    private static Http2Client client(Network network, Served served, Settings settings)
            throws IOException {
        return Http2Client.to(Http2OverSocketsTest.socket(network, served.server()), settings)
                .hello();
    }

    /// Sends frames until the server has closed the connection, then closes it, too.
    private static void send(Flood flood, Http2Client client, Http2Client honest)
            throws IOException {
        for (int i = 0; i < BATCHES && client.goAway() == null; i++) {
            if (i % BATCHES_PER_CHECK == 0) {
                assertEquals("Hello, World!", honest.fetch("/hello").text());
            }
            try {
                for (int j = 0; j < BATCH; j++) {
                    flood.write(client, client.out(), i * BATCH + j);
                }
                client.flush();
                client.pump();
                if (flood.isPaced()) {
                    client.roundTrip();
                }
            } catch (IOException e) {
                break; // closed while this client was still sending
            }
        }
        try {
            client.untilEnd();
        } catch (IOException e) {
            // As above.
        }
        client.close();
    }

    private static String metrics(Served served) {
        var at = Objects.requireNonNull(served.server().managementAddress());
        try (var client = RawClient.connect(at)) {
            return client.send("GET /metrics HTTP/1.1\nHost: localhost\n\n").response().text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
