package dev.tandem.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/// Measures the cost of sessions: a record in each direction, a handshake, memory while idle. Run
/// manually, with one engine per process; see docs/decisions/0009-tls-engines.md.
final class SessionBench {
    private static final int RECORD = 150;
    private static final int ROUNDS = 7;
    private static final int RECORDS = 20_000;
    private static final int HANDSHAKES = 500;

    private final TlsContext context;
    private final TlsClient client = TlsClient.plain();
    private final ByteBuffer toServer = ByteBuffer.allocateDirect(65_536);
    private final ByteBuffer toClient = ByteBuffer.allocateDirect(65_536);
    private final ByteBuffer plain = ByteBuffer.allocateDirect(65_536);

    /// Time of handshakes, in nanoseconds: reading, the cheap step, and key work.
    private long reading;

    private long finishing;
    private long keyWork;

    private SessionBench(TlsContext context) {
        this.context = context;
    }

    /// @param args the engine, the certificate's name, how many idle sessions
    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        TlsContext context =
                TlsContext.open(
                        TlsSettings.of(Credentials.pem(args[1]))
                                .withEngine(EngineChoice.valueOf(args[0])));
        say(
                "%s, %s: context %.0f ms (with making keys)",
                context.engineName(), args[1], since(start));
        var bench = new SessionBench(context);
        // First, because memory that others released would be reused and not measured.
        bench.idle(Integer.parseInt(args[2]));
        bench.records();
        bench.handshakes("full", true);
        bench.handshakes("resumed", false);
    }

    private void records() throws Exception {
        TlsSession server = context.newSession();
        SSLEngine engine = client.engine("TLSv1.3");
        shake(engine, server);
        var request = ByteBuffer.allocateDirect(RECORD);
        for (int round = 0; round < ROUNDS; round++) {
            long received = 0;
            long sent = 0;
            for (int i = 0; i < RECORDS; i++) {
                toServer.clear();
                engine.wrap(request.clear(), toServer);
                toServer.flip();
                plain.clear();
                long t0 = System.nanoTime();
                server.receive(toServer, plain);
                long t1 = System.nanoTime();
                plain.flip();
                toClient.clear();
                long t2 = System.nanoTime();
                server.send(plain, toClient);
                long t3 = System.nanoTime();
                received += t1 - t0;
                sent += t3 - t2;
                toClient.flip();
                engine.unwrap(toClient, plain.clear());
            }
            say(
                    "record of %d: receive %d ns, send %d ns",
                    RECORD, received / RECORDS, sent / RECORDS);
        }
        server.close();
    }

    private void handshakes(String what, boolean isFull) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            reading = 0;
            finishing = 0;
            keyWork = 0;
            int resumed = 0;
            for (int i = 0; i < HANDSHAKES; i++) {
                TlsClient from = isFull ? TlsClient.plain() : client;
                SSLEngine engine = from.engine("TLSv1.3");
                TlsSession server = context.newSession();
                shake(engine, server);
                resumed += server.isResumed() ? 1 : 0;
                server.close();
            }
            say(
                    "%s: read %d us, key work %d us, finish %d us, %d of %d resumed",
                    what,
                    reading / HANDSHAKES / 1000,
                    keyWork / HANDSHAKES / 1000,
                    finishing / HANDSHAKES / 1000,
                    resumed,
                    HANDSHAKES);
        }
    }

    private void idle(int sessions) throws Exception {
        var kept = new ArrayList<TlsSession>();
        add(kept, 1000);
        long before = memory();
        long heapBefore = heap();
        add(kept, sessions);
        long after = memory();
        long heap = heap() - heapBefore;
        say("idle: %d bytes each by RSS, of %d sessions", (after - before) / sessions, sessions);
        say("idle: %d bytes each of heap", heap / sessions);
        kept.forEach(TlsSession::close);
    }

    private void add(List<TlsSession> kept, int count) throws SSLException {
        for (int i = 0; i < count; i++) {
            TlsSession server = context.newSession();
            shake(TlsClient.plain().engine("TLSv1.3"), server);
            kept.add(server);
        }
    }

    /// Performs a handshake and sends a response, which includes the tickets.
    private void shake(SSLEngine engine, TlsSession server) throws SSLException {
        engine.beginHandshake();
        toServer.clear().flip();
        toClient.clear().flip();
        for (int step = 0; step < 20 && (step == 0 || isShaking(engine)); step++) {
            speak(engine);
            hear(server);
            listen(engine);
        }
        speak(engine);
        hear(server);
        plain.clear().limit(RECORD);
        toClient.compact();
        server.send(plain, toClient);
        toClient.flip();
        listen(engine);
    }

    private static boolean isShaking(SSLEngine engine) {
        return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    private void speak(SSLEngine engine) throws SSLException {
        toServer.compact();
        runTasks(engine);
        while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            engine.wrap(ByteBuffer.allocate(0), toServer);
            runTasks(engine);
        }
        toServer.flip();
    }

    private void hear(TlsSession server) {
        toClient.compact();
        plain.clear();
        TlsAction next;
        do {
            long start = System.nanoTime();
            next = server.receive(toServer, plain);
            reading += System.nanoTime() - start;
            if (next == TlsAction.HANDSHAKE) {
                boolean isCheap = server.isHandshakeCheap();
                start = System.nanoTime();
                next = server.handshake(plain, toClient);
                long spent = System.nanoTime() - start;
                finishing += isCheap ? spent : 0;
                keyWork += isCheap ? 0 : spent;
            }
        } while (next == TlsAction.OPEN);
        toClient.flip();
    }

    private void listen(SSLEngine engine) throws SSLException {
        int before = -1;
        while (toClient.hasRemaining() && toClient.remaining() != before) {
            before = toClient.remaining();
            engine.unwrap(toClient, plain.clear());
            runTasks(engine);
            speak(engine);
        }
    }

    private static void runTasks(SSLEngine engine) {
        for (Runnable task = engine.getDelegatedTask();
                task != null;
                task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    private static long memory() throws IOException {
        heap();
        List<String> lines = Files.readAllLines(Path.of("/proc/self/status"));
        String rss = lines.stream().filter(l -> l.startsWith("VmRSS")).findFirst().orElseThrow();
        return 1024 * Long.parseLong(rss.replaceAll("\\D", ""));
    }

    private static long heap() {
        System.gc();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static double since(long start) {
        return (System.nanoTime() - start) / 1e6;
    }

    private static void say(String format, Object... values) {
        System.out.println(format.formatted(values));
    }
}
