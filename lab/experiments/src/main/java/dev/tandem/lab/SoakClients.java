package dev.tandem.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// The kinds of well-behaved, slow, rude and hostile clients of a soak. Each compares every byte
/// that it receives. Safe for use by any thread.
final class SoakClients {
    private static final int KEPT_REQUESTS = 50;
    private static final int PIPELINED_REQUESTS = 16;
    private static final int ECHO_MAX = 256 * 1_024;
    private static final int CHUNK_MAX = 8_192;

    /// Pause between the bytes of a slow sender; far from any deadline.
    private static final int DRIP_MILLIS_MAX = 20;

    /// Requests that must be rejected with a 4xx, 501 or 505, and the connection closed.
    private static final List<String> MALFORMED =
            List.of(
                    "GET /hello HTTP/1.1\r\n\r\n",
                    "GET /hello HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                    "GET /hello HTTP/1.1\r\nHost : a\r\n\r\n",
                    "GET /hello HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n",
                    "GET /hello HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
                    "GET /hello HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n",
                    "GET /hello HTTP/3.7\r\nHost: a\r\n\r\n",
                    "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET /../etc HTTP/1.1\r\nHost: a\r\n\r\n",
                    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello",
                    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n"
                            + "\r\nhello",
                    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                    "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\nhello",
                    "GET /" + "a".repeat(9_000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: a\r\nX: " + "b".repeat(17_000) + "\r\n\r\n",
                    "\u0016\u0003\u0001\u0002\u0000\u0001");

    private final SoakPlace place;
    private final SoakContents contents;
    private final byte[] large;

    /// @param contents what is served there
    SoakClients(SoakPlace place, SoakContents contents) {
        this.place = place;
        this.contents = contents;
        this.large = contents.of(SoakContents.LARGE);
    }

    /// Each kind by its name.
    Map<String, SoakClient> kinds() {
        var kinds = new LinkedHashMap<String, SoakClient>();
        kinds.put("kept connections", this::kept);
        kinds.put("a connection each", this::closing);
        kinds.put("pipelining", this::pipelined);
        kinds.put("chunked uploads", this::chunked);
        kinds.put("slow senders", this::slow);
        kinds.put("disconnecting", this::aborted);
        kinds.put("ranges and validators", this::ranges);
        kinds.put("malformed requests", this::malformed);
        return kinds;
    }

    private void kept(Random random) throws IOException {
        try (var caller = connect(random)) {
            for (int i = 0; i < KEPT_REQUESTS; i++) {
                if (random.nextInt(8) == 0) {
                    row(caller);
                } else {
                    String path = contents.anyPath(random);
                    contents.expect(path, caller.get(path));
                }
            }
        }
    }

    private Caller connect(Random random) throws IOException {
        return Caller.connect(place.anyPlain(random));
    }

    private static void row(Caller caller) throws IOException {
        Caller.Reply reply = caller.get("/db");
        String body = new String(reply.body(), StandardCharsets.US_ASCII);
        SoakClient.expect(
                reply.status() == 200 && body.startsWith("{\"id\":") && body.endsWith("}"),
                "/db gets status " + reply.status() + " " + body);
    }

    private void closing(Random random) throws IOException {
        try (var caller = connect(random)) {
            String path = contents.anyPath(random);
            contents.expect(path, caller.get(path, "Connection: close\r\n"));
            SoakClient.expect(caller.isClosedByServer(), "a connection is not closed as requested");
        }
    }

    private void pipelined(Random random) throws IOException {
        var paths = new String[PIPELINED_REQUESTS];
        var requests = new StringBuilder();
        for (int i = 0; i < paths.length; i++) {
            paths[i] = contents.anyPath(random);
            requests.append(Caller.request(paths[i], ""));
        }
        try (var caller = connect(random)) {
            caller.send(requests.toString());
            for (String path : paths) {
                contents.expect(path, caller.reply());
            }
        }
    }

    /// Sends and reads at the same time: an echo begins before the request is complete.
    private void chunked(Random random) throws IOException, InterruptedException {
        var body = new byte[random.nextInt(ECHO_MAX)];
        random.nextBytes(body);
        try (var caller = connect(random)) {
            caller.send(
                    "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
            long seed = random.nextLong();
            Thread sender =
                    Thread.ofVirtual().start(() -> sendChunks(caller, body, new Random(seed)));
            Caller.Reply reply = caller.reply();
            sender.join();
            SoakClient.expect(reply.status() == 200, "/echo gets status " + reply.status());
            SoakClient.expect(
                    Arrays.equals(reply.body(), body),
                    "/echo has other bytes: " + reply.body().length + " of " + body.length);
        }
    }

    private static void sendChunks(Caller caller, byte[] body, Random random) {
        try {
            int at = 0;
            while (at < body.length) {
                int size = Math.min(body.length - at, 1 + random.nextInt(CHUNK_MAX));
                caller.send(Integer.toHexString(size) + "\r\n");
                caller.send(Arrays.copyOfRange(body, at, at + size));
                caller.send("\r\n");
                at += size;
            }
            caller.send("0\r\n\r\n");
        } catch (IOException e) {
            // The reader sees and reports that the response is incomplete.
        }
    }

    private void slow(Random random) throws IOException, InterruptedException {
        boolean hasBody = random.nextBoolean();
        String request =
                hasBody
                        ? "PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 13\r\n\r\nHello, World!"
                        : Caller.request("/hello", "");
        try (var caller = connect(random)) {
            for (int i = 0; i < request.length(); i++) {
                caller.send(request.substring(i, i + 1));
                Thread.sleep(random.nextInt(DRIP_MILLIS_MAX));
            }
            contents.expect("/hello", caller.reply());
        }
    }

    /// Expects only that the server survives it.
    private void aborted(Random random) throws IOException {
        String request =
                switch (random.nextInt(4)) {
                    case 0 -> "GET /static/1m.bin HTTP/1.1\r\nHo";
                    case 1 -> "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\nhello";
                    case 2 ->
                            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                                    + "400\r\nhello";
                    default -> Caller.request("/static/1m.bin", "");
                };
        try (var caller = connect(random)) {
            caller.send(request);
            if (random.nextBoolean()) {
                caller.abort();
            }
        }
    }

    private void ranges(Random random) throws IOException {
        String path = SoakContents.LARGE;
        int from = random.nextInt(large.length);
        int to = from + random.nextInt(Math.min(large.length - from, 100_000));
        try (var caller = connect(random)) {
            Caller.Reply part = caller.get(path, "Range: bytes=" + from + "-" + to + "\r\n");
            SoakClient.expect(part.status() == 206, "a range gets status " + part.status());
            SoakClient.expect(
                    Arrays.equals(part.body(), Arrays.copyOfRange(large, from, to + 1)),
                    "a range has other bytes: " + part.body().length);
            Caller.Reply parts = caller.get(path, "Range: bytes=0-9,100-199\r\n");
            SoakClient.expect(
                    parts.status() == 206
                            && parts.field("content-type").startsWith("multipart/byteranges"),
                    "two ranges get status " + parts.status());
            String tag = part.field("etag");
            Caller.Reply same = caller.get(path, "If-None-Match: " + tag + "\r\n");
            SoakClient.expect(same.status() == 304, "the same tag gets status " + same.status());
            Caller.Reply none = caller.get("/static/none.bin");
            SoakClient.expect(none.status() == 404, "no file gets status " + none.status());
        }
    }

    private void malformed(Random random) throws IOException {
        String request = MALFORMED.get(random.nextInt(MALFORMED.size()));
        try (var caller = connect(random)) {
            caller.send(request);
            int status = caller.reply().status();
            boolean isRejected = status >= 400 && status < 500 || status == 501 || status == 505;
            SoakClient.expect(isRejected, status + " for a malformed " + start(request));
            SoakClient.expect(
                    caller.isClosedByServer(), "left open after a malformed " + start(request));
        }
    }

    private static String start(String request) {
        String shown = request.replace("\r", "\\r").replace("\n", "\\n").replace("\0", "\\0");
        return shown.length() > 100 ? shown.substring(0, 100) + "..." : shown;
    }
}
