package dev.tandem;

import dev.tandem.engine.Descriptors;
import dev.tandem.http.FormLimits;
import dev.tandem.http.h1.Http1Limits;
import dev.tandem.net.Loop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// What a server is built with: every limit it has. Immutable; [#DEFAULT] needs no change for
/// most.
///
/// Each `with` method returns a copy and throws [IllegalArgumentException], naming limit and
/// value, if it is out of range.
public final class Options {
    /// Before [#DEFAULT], which is made of it.
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    public static final Options DEFAULT = new Options();

    private static final int CHUNK_DIGITS_MAX = 16;
    private static final int CHUNK_EXTENSION_MIN = 240;
    private static final int CHUNK_EXTENSION_MAX = 65_000;

    private int loops = Math.max(1, PROCESSORS / 2);
    private int workersMax = Math.max(200, 50 * PROCESSORS);
    private int workersMin;
    private boolean isInPlace = true;
    private boolean isVirtual;
    private int eventStreamsMax = 1000;
    private List<String> sessionCookies = List.of("JSESSIONID", "SESSION");
    private boolean isAdmitting = true;
    private boolean isAllOnLoop;
    private int loopBuffer = Loop.INPUT_SIZE;
    private int connectionsMax = Descriptors.connectionsMax();
    private int backlog = 4096;
    private Http1Limits head = Http1Limits.DEFAULT;
    private FormLimits form = FormLimits.DEFAULT;
    private boolean areBodiesCollected = true;
    private boolean areAmbiguousPathsTaken;
    private long bodyMax = 16L << 20;
    private long headTimeoutNanos = TimeUnit.SECONDS.toNanos(20);
    private long handshakeTimeoutNanos = TimeUnit.SECONDS.toNanos(10);
    private long bodyGraceNanos = TimeUnit.SECONDS.toNanos(20);
    private long bodyRateMin = 500;
    private long writeStallNanos = TimeUnit.SECONDS.toNanos(60);
    private long lingerNanos = TimeUnit.SECONDS.toNanos(2);
    private Duration stopGrace = Duration.ofSeconds(30);

    private Options() {}

    private Options(Options o) {
        loops = o.loops;
        workersMax = o.workersMax;
        workersMin = o.workersMin;
        isInPlace = o.isInPlace;
        isVirtual = o.isVirtual;
        eventStreamsMax = o.eventStreamsMax;
        sessionCookies = o.sessionCookies;
        isAdmitting = o.isAdmitting;
        isAllOnLoop = o.isAllOnLoop;
        loopBuffer = o.loopBuffer;
        connectionsMax = o.connectionsMax;
        backlog = o.backlog;
        head = o.head;
        form = o.form;
        areBodiesCollected = o.areBodiesCollected;
        areAmbiguousPathsTaken = o.areAmbiguousPathsTaken;
        bodyMax = o.bodyMax;
        headTimeoutNanos = o.headTimeoutNanos;
        handshakeTimeoutNanos = o.handshakeTimeoutNanos;
        bodyGraceNanos = o.bodyGraceNanos;
        bodyRateMin = o.bodyRateMin;
        writeStallNanos = o.writeStallNanos;
        lingerNanos = o.lingerNanos;
        stopGrace = o.stopGrace;
    }

    /// How many event loops; half the processors, since the handlers need the others. 1 to
    /// 16,384: more than a few make sense only where a loop has one connection
    /// ([#withAllOnLoop]).
    public Options withLoops(int loops) {
        var o = new Options(this);
        o.loops = (int) check("loops", loops, 1, 16_384);
        return o;
    }

    /// What a loop reads or gathers at once, in bytes; 65,536: a pipeline's requests or answers
    /// in one call. Smaller where there are many loops, since each has two such buffers. 4,096 to
    /// 1 MiB; with TLS at least 34,816, which is two records.
    public Options withLoopBuffer(int bytes) {
        var o = new Options(this);
        o.loopBuffer = (int) check("loopBuffer", bytes, 4096, 1 << 20);
        return o;
    }

    /// The most worker threads: so many handlers may block at once. They start as they are needed
    /// and end after a minute without work. 50 for each processor, at least 200; 1 to 65,536.
    public Options withWorkersMax(int workers) {
        var o = new Options(this);
        o.workersMax = (int) check("workersMax", workers, 1, 65_536);
        return o;
    }

    /// The fewest workers that the search for their number may end with; 0, which is the number
    /// of processors. As many as [#withWorkersMax] says: their number is not searched, which is
    /// for measurements. 0 to 65,536; what is more than the most counts as the most.
    public Options withWorkersMin(int workers) {
        var o = new Options(this);
        o.workersMin = (int) check("workersMin", workers, 0, 65_536);
        return o;
    }

    /// Whether workers are virtual threads, one for each run; false, since platform threads cost a
    /// run less and the console sees what they do. As many run at once as with platform threads,
    /// by the same permits; Linux does not tell of virtual threads what it tells of others, so
    /// their number is found by trials alone, and a database's lane is asked only when a handler
    /// wants its connection.
    public Options withVirtualThreads(boolean isVirtual) {
        var o = new Options(this);
        o.isVirtual = isVirtual;
        return o;
    }

    /// Whether blocking handlers of routes that are learned to be short run on the thread that
    /// has the loop; true. Without it, all of them run on workers.
    public Options withInPlace(boolean isInPlace) {
        var o = new Options(this);
        o.isInPlace = isInPlace;
        return o;
    }

    /// The names of the cookies by which a visitor's session is known over several connections,
    /// so that under overload those who are inside go first; `JSESSIONID` and `SESSION`, which
    /// servlet containers and Spring Session use. Empty: connections alone tell.
    public Options withSessionCookies(String... names) {
        var o = new Options(this);
        o.sessionCookies = List.of(names);
        return o;
    }

    /// The most event streams that are open at once; 1,000, since each holds a thread (of its
    /// own, no worker's place), some 150 KiB with its buffers. Beyond it: 503. 0 to 65,536.
    public Options withEventStreamsMax(int streams) {
        var o = new Options(this);
        o.eventStreamsMax = (int) check("eventStreamsMax", streams, 0, 65_536);
        return o;
    }

    /// Whether admission is asked before a request runs; true. Without it all run at once, as far
    /// as there are threads, and nobody is refused: to measure what admission costs, and for
    /// nothing else.
    public Options withAdmission(boolean isAdmitting) {
        var o = new Options(this);
        o.isAdmitting = isAdmitting;
        return o;
    }

    /// Whether every handler runs on the thread that has the loop, however long it takes, and
    /// nobody takes the loop from it; false. There are no workers then: this makes a server that
    /// is event-driven all through, or, with a [dev.tandem.net.Network] whose sockets block and
    /// whose loops have one connection each, one with a thread for each connection. Where
    /// sockets do not block, an exchange that would have to wait for its client is cut.
    public Options withAllOnLoop(boolean isAllOnLoop) {
        var o = new Options(this);
        o.isAllOnLoop = isAllOnLoop;
        return o;
    }

    /// The most open connections. Beyond it, each newcomer costs the longest idle one its place,
    /// or one whose head is not complete. If all have work, the newcomer is answered 503. By
    /// default what the process's limit on descriptors allows, less an eighth (at least 64, at
    /// most half) for files.
    public Options withConnectionsMax(int connections) {
        var o = new Options(this);
        o.connectionsMax = (int) check("connectionsMax", connections, 1, Integer.MAX_VALUE);
        return o;
    }

    /// How many newcomers the kernel holds until they are accepted; 4,096, which the kernel may
    /// cap (`net.core.somaxconn`). 1 to 65,535.
    public Options withBacklog(int backlog) {
        var o = new Options(this);
        o.backlog = (int) check("backlog", backlog, 1, 65_535);
        return o;
    }

    /// The longest request line in bytes; 8,192, since RFC 9112 section 3 asks for 8,000. Beyond
    /// it: 414. 16 to 65,536, and less than the head's limit.
    public Options withRequestLineMax(int bytes) {
        var o = new Options(this);
        o.head = head.withRequestLineMax(bytes);
        return o;
    }

    /// The longest head in bytes; 16,384: a request line and 4 KiB of cookies, twice over. Beyond
    /// it: 431.
    public Options withHeadMax(int bytes) {
        var o = new Options(this);
        o.head = head.withHeadMax((int) check("headMax", bytes, 1024, 65_536));
        return o;
    }

    /// The most header fields; 100. Beyond it: 431. 1 to 10,000.
    public Options withFieldsMax(int fields) {
        var o = new Options(this);
        o.head = head.withHeadersMax(fields);
        return o;
    }

    /// Whether who sends a request line or a head over a limit is told so by 414 or 431; true.
    /// Without it: 400, as containers answer whose applications and tests know nothing else.
    public Options withLengthNamed(boolean isNamed) {
        var o = new Options(this);
        o.head = head.withSpecificStatus(isNamed);
        return o;
    }

    /// Whether what old clients send is taken; false. For a container whose applications are
    /// reached by such clients: lines that end with LF alone, folded fields, tabs in a request
    /// line, some empty lines before it, chunks beside a length or of HTTP/1.0, HTTP/0.9
    /// ([Http1Limits#withLenient] says which; decision 0005, what that risks). Handlers other than
    /// a container answer HTTP/0.9 with a head.
    public Options withLenientHeads(boolean isLenient) {
        var o = new Options(this);
        o.head = head.withLenient(isLenient);
        return o;
    }

    /// The longest trailer section after a body in chunks, in bytes; 8,192: checksums and
    /// signatures. Beyond it: 431. 2 to 1 MiB.
    public Options withTrailersMax(int bytes) {
        var o = new Options(this);
        o.head = head.withTrailersMax(bytes);
        return o;
    }

    /// The most bytes of chunk extensions in one body, which one chunk may have to itself as far as
    /// 65,000; 16,384, and 256 for the line of one chunk. Beyond it: 400. 0 to 1 MiB.
    public Options withChunkExtensionsMax(int bytes) {
        var o = new Options(this);
        int line = Math.clamp(bytes, CHUNK_EXTENSION_MIN, CHUNK_EXTENSION_MAX) + CHUNK_DIGITS_MAX;
        o.head = head.withChunkExtensionsMax(bytes).withChunkLineMax(line);
        return o;
    }

    /// The largest chunk in bytes, whose size is written with no more digits than this one has in
    /// hexadecimal; 2^60 - 1. Beyond it: 400. 1 to 2^60 - 1.
    public Options withChunkMax(long bytes) {
        var o = new Options(this);
        o.head = head.withChunkMax(bytes);
        return o;
    }

    /// The longest request body in bytes; 16 MiB. Beyond it: 413, before it is read where its
    /// length is announced. 0 to 2^62.
    public Options withBodyMax(long bytes) {
        var o = new Options(this);
        o.bodyMax = check("bodyMax", bytes, 0, 1L << 62);
        return o;
    }

    /// Whether a body of up to 64 KiB is there before a worker is spent on its request; true.
    /// Without it handlers see clients that stall or vanish in the middle, and can answer before
    /// the body's end, as servlets expect.
    public Options withBodiesCollected(boolean areCollected) {
        var o = new Options(this);
        o.areBodiesCollected = areCollected;
        return o;
    }

    /// Whether `%2F`, `%5C` and codes of control characters are taken in paths; false: they are
    /// refused. For a container that decides itself what they mean, as Catalina does; paths of
    /// other handlers have them as they were sent.
    public Options withAmbiguousPaths(boolean areTaken) {
        var o = new Options(this);
        o.areAmbiguousPathsTaken = areTaken;
        return o;
    }

    /// Limits on forms; see [FormLimits#DEFAULT].
    public Options withFormLimits(FormLimits limits) {
        var o = new Options(this);
        o.form = limits;
        return o;
    }

    /// How long a head may take from its first byte to its last; 20 s, against senders who drip.
    /// Beyond it: 408. Until its first byte a connection may idle for ever. 1 ms to a day.
    public Options withHeadTimeout(Duration timeout) {
        var o = new Options(this);
        o.headTimeoutNanos = check("headTimeout", timeout);
        return o;
    }

    /// How long a TLS handshake may take, from its first wait for the client to its end; 10 s, of
    /// which the server's own part is at most 5. Beyond it the connection is closed. 1 ms to a
    /// day.
    public Options withHandshakeTimeout(Duration timeout) {
        var o = new Options(this);
        o.handshakeTimeoutNanos = check("handshakeTimeout", timeout);
        return o;
    }

    /// How slowly a body may come: it has `grace` (20 s), and from then on must have come at
    /// `rate` bytes a second (500) on average. Beyond it: 408. Rate 0 to 2^40.
    public Options withBodyPace(Duration grace, long rate) {
        var o = new Options(this);
        o.bodyGraceNanos = check("bodyPace's grace", grace);
        o.bodyRateMin = check("bodyPace's rate", rate, 0, 1L << 40);
        return o;
    }

    /// How long a client may take none of its answer; 60 s: then the connection is closed. 1 ms
    /// to a day.
    public Options withWriteStall(Duration stall) {
        var o = new Options(this);
        o.writeStallNanos = check("writeStall", stall);
        return o;
    }

    /// How long a stopping server lets running exchanges finish; 30 s. 0 to a day.
    public Options withStopGrace(Duration grace) {
        var o = new Options(this);
        if (!grace.isZero()) {
            check("stopGrace", grace);
        }
        o.stopGrace = grace;
        return o;
    }

    private static long check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " must be " + least + ".." + most + ", was " + value);
        }
        return value;
    }

    private static long check(String name, Duration value) {
        if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(name + " must be 1 ms to 1 day, was " + value);
        }
        return value.toNanos();
    }

    public int loops() {
        return loops;
    }

    public int workersMax() {
        return workersMax;
    }

    public int workersMin() {
        return workersMin;
    }

    public boolean isVirtual() {
        return isVirtual;
    }

    public boolean isInPlace() {
        return isInPlace;
    }

    public List<String> sessionCookies() {
        return sessionCookies;
    }

    public int eventStreamsMax() {
        return eventStreamsMax;
    }

    public boolean isAdmitting() {
        return isAdmitting;
    }

    public boolean isAllOnLoop() {
        return isAllOnLoop;
    }

    public int loopBuffer() {
        return loopBuffer;
    }

    public int connectionsMax() {
        return connectionsMax;
    }

    public int backlog() {
        return backlog;
    }

    public boolean areBodiesCollected() {
        return areBodiesCollected;
    }

    public boolean areAmbiguousPathsTaken() {
        return areAmbiguousPathsTaken;
    }

    public long bodyMax() {
        return bodyMax;
    }

    public Duration stopGrace() {
        return stopGrace;
    }

    public int requestLineMax() {
        return head.requestLineMax();
    }

    public int headMax() {
        return head.headMax();
    }

    public int fieldsMax() {
        return head.headersMax();
    }

    public int trailersMax() {
        return head.trailersMax();
    }

    public int chunkExtensionsMax() {
        return head.chunkExtensionsMax();
    }

    public long chunkMax() {
        return head.chunkMax();
    }

    public Http1Limits head() {
        return head;
    }

    public FormLimits form() {
        return form;
    }

    public long headTimeoutNanos() {
        return headTimeoutNanos;
    }

    public long handshakeTimeoutNanos() {
        return handshakeTimeoutNanos;
    }

    public long bodyGraceNanos() {
        return bodyGraceNanos;
    }

    public long bodyRateMin() {
        return bodyRateMin;
    }

    public long writeStallNanos() {
        return writeStallNanos;
    }

    public long lingerNanos() {
        return lingerNanos;
    }
}
