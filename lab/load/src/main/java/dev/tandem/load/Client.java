package dev.tandem.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/// What kind of client the visitors have. Immutable; [#DEFAULT] is a browser of HTTP/1.1 without
/// cookies or cache.
///
/// Each `with` method returns a copy and throws [IllegalArgumentException], naming limit and
/// value, if it is out of range.
public final class Client {
    public static final Client DEFAULT = new Client();

    private Version version = Version.HTTP_1_1;
    private boolean isKeeping = true;
    private int connectionsMax = 2;
    private int pipelinedMax = 64;
    private int retriesMax;
    private boolean isGoingOn;
    private boolean isNoticingEnds = true;
    private boolean isResetting;
    private boolean hasCookies;
    private double validatorShare;
    private long receiveRate;
    private int receiveBuffer;
    private int sendBuffer;
    private int bodyMax = 1 << 20;
    private Set<Integer> failing = Set.of();
    private boolean isServerErrorFailing = true;
    private List<Call.Field> fields = List.of();
    private Tls tls = Tls.DEFAULT;

    /// The protocol's version in requests.
    public enum Version {
        /// Closes after each answer, unless a field says `Connection: keep-alive`.
        HTTP_1_0("HTTP/1.0"),
        HTTP_1_1("HTTP/1.1");

        private final String text;

        Version(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    private Client() {}

    private Client(Client c) {
        version = c.version;
        isKeeping = c.isKeeping;
        connectionsMax = c.connectionsMax;
        pipelinedMax = c.pipelinedMax;
        retriesMax = c.retriesMax;
        isGoingOn = c.isGoingOn;
        isNoticingEnds = c.isNoticingEnds;
        isResetting = c.isResetting;
        hasCookies = c.hasCookies;
        validatorShare = c.validatorShare;
        receiveRate = c.receiveRate;
        receiveBuffer = c.receiveBuffer;
        sendBuffer = c.sendBuffer;
        bodyMax = c.bodyMax;
        failing = c.failing;
        isServerErrorFailing = c.isServerErrorFailing;
        fields = c.fields;
        tls = c.tls;
    }

    private static double check(String name, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(
                    "%s must be %.0f..%.0f, was %s".formatted(name, least, most, value));
        }
        return value;
    }

    public Client withVersion(Version other) {
        var c = new Client(this);
        c.version = other;
        return c;
    }

    /// Whether connections are kept for the next request; true. Else each request says
    /// `Connection: close`.
    public Client withKeptConnections(boolean isKept) {
        var c = new Client(this);
        c.isKeeping = isKept;
        return c;
    }

    /// How many connections a visitor may have for [Shape#PARALLEL]; 2, as the papers' clients. 1
    /// to 64.
    public Client withConnectionsMax(int connections) {
        var c = new Client(this);
        c.connectionsMax = (int) check("connectionsMax", connections, 1, 64);
        return c;
    }

    /// How many calls of a [Shape#PIPELINED] step may be under way at once; 64. 1 to 10,000.
    public Client withPipelinedMax(int calls) {
        var c = new Client(this);
        c.pipelinedMax = (int) check("pipelinedMax", calls, 1, 10_000);
        return c;
    }

    /// How often a call that failed is made again, at once and on a new connection; 0. 0 to
    /// 1,000.
    public Client withRetriesMax(int retries) {
        var c = new Client(this);
        c.retriesMax = (int) check("retriesMax", retries, 0, 1000);
        return c;
    }

    /// Whether a session goes on when a call has failed for good; false: the visitor leaves,
    /// and the session has failed. If true, the session learns of it by the [Reply].
    public Client withGoingOn(boolean isGoingOn) {
        var c = new Client(this);
        c.isGoingOn = isGoingOn;
        return c;
    }

    /// Whether a visitor notices at once that the server closes an idle connection, as browsers
    /// do, and makes a new one for the next request; true. If false, as with httperf, the next
    /// request goes out and meets a reset.
    public Client withNoticedEnds(boolean isNoticing) {
        var c = new Client(this);
        c.isNoticingEnds = isNoticing;
        return c;
    }

    /// Whether connections are closed by a reset, which keeps no port waiting; false.
    public Client withResets(boolean isResetting) {
        var c = new Client(this);
        c.isResetting = isResetting;
        return c;
    }

    /// Whether visitors keep cookies; false. At most 100 each, of 8 KiB together.
    public Client withCookies(boolean hasCookies) {
        var c = new Client(this);
        c.hasCookies = hasCookies;
        return c;
    }

    /// How likely a visitor who has an answer already asks whether it has changed
    /// (`If-None-Match`,
    /// `If-Modified-Since`), where it came with a validator; 0. 0 to 1.
    public Client withValidatorShare(double share) {
        var c = new Client(this);
        c.validatorShare = check("validatorShare", share, 0, 1);
        return c;
    }

    /// How fast a connection takes an answer, in bytes per second; 0, as fast as it comes. Else
    /// at least 100.
    public Client withReceiveRate(long bytes) {
        var c = new Client(this);
        c.receiveRate = bytes == 0 ? 0 : (long) check("receiveRate", bytes, 100, 1e12);
        return c;
    }

    /// The sockets' buffers, in bytes; 0, what the system gives. At most 1 GiB; Linux doubles them,
    /// and has limits of its own.
    public Client withSocketBuffers(int receive, int send) {
        var c = new Client(this);
        c.receiveBuffer = (int) check("receiveBuffer", receive, 0, 1 << 30);
        c.sendBuffer = (int) check("sendBuffer", send, 0, 1 << 30);
        return c;
    }

    /// The longest content that is kept for [Use#BODY], in bytes; 1 MiB. What is longer is
    /// [Outcome#BAD_REPLY]. 0 to 1 GiB.
    public Client withBodyMax(int bytes) {
        var c = new Client(this);
        c.bodyMax = (int) check("bodyMax", bytes, 0, 1 << 30);
        return c;
    }

    /// Which statuses count as failures; 500 to 599.
    public Client withFailingStatuses(Set<Integer> statuses) {
        var c = new Client(this);
        c.failing = Set.copyOf(statuses);
        c.isServerErrorFailing = false;
        return c;
    }

    /// A header field for every request.
    public Client withField(String name, String value) {
        var c = new Client(this);
        var more = new ArrayList<>(fields);
        more.add(new Call.Field(name, value));
        c.fields = List.copyOf(more);
        return c;
    }

    public Client withTls(Tls other) {
        var c = new Client(this);
        c.tls = other;
        return c;
    }

    public Version version() {
        return version;
    }

    public boolean isKeepingConnections() {
        return isKeeping;
    }

    public int connectionsMax() {
        return connectionsMax;
    }

    public int pipelinedMax() {
        return pipelinedMax;
    }

    public int retriesMax() {
        return retriesMax;
    }

    public boolean isGoingOn() {
        return isGoingOn;
    }

    public boolean isNoticingEnds() {
        return isNoticingEnds;
    }

    public boolean isResetting() {
        return isResetting;
    }

    public boolean hasCookies() {
        return hasCookies;
    }

    public double validatorShare() {
        return validatorShare;
    }

    public long receiveRate() {
        return receiveRate;
    }

    public int receiveBuffer() {
        return receiveBuffer;
    }

    public int sendBuffer() {
        return sendBuffer;
    }

    public int bodyMax() {
        return bodyMax;
    }

    /// Tells which statuses count as failures.
    public IntPredicate failingStatuses() {
        boolean isServerError = isServerErrorFailing;
        Set<Integer> set = failing;
        return status -> isServerError ? status >= 500 : !set.isEmpty() && set.contains(status);
    }

    public List<Call.Field> fields() {
        return fields;
    }

    public Tls tls() {
        return tls;
    }
}
