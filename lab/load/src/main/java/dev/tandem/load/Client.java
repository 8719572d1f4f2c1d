package dev.tandem.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/// The kind of client that users have. Immutable; [#DEFAULT] is a browser of HTTP/1.1 without
/// cookies or cache.
///
/// Each `with` method returns a copy and throws [IllegalArgumentException], naming limit and value,
/// if the value is out of range.
public final class Client {
    public static final Client DEFAULT = new Client();

    private Version version = Version.HTTP_1_1;
    private boolean isKeeping = true;
    private int connectionsMax = 2;
    private int pipelinedMax = 64;
    private int retriesMax;
    private boolean isContinuingAfterFailure;
    private boolean isNoticingCloses = true;
    private boolean isResetting;
    private boolean hasCookies;
    private double validatorShare;
    private long receiveRate;
    private int receiveBuffer;
    private int sendBuffer;
    private int bodyMax = 1 << 20;
    private Set<Integer> failing = Set.of();
    private boolean isServerErrorFailing = true;
    private List<Call.Header> fields = List.of();
    private Tls tls = Tls.DEFAULT;

    /// The protocol's version in requests.
    public enum Version {
        /// Closes after each response, unless a header says `Connection: keep-alive`.
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
        isContinuingAfterFailure = c.isContinuingAfterFailure;
        isNoticingCloses = c.isNoticingCloses;
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

    /// Whether connections are kept for the next request; true. Otherwise each request says
    /// `Connection: close`.
    public Client withKeptConnections(boolean isKept) {
        var c = new Client(this);
        c.isKeeping = isKept;
        return c;
    }

    /// The maximum number of connections of a user for [Shape#PARALLEL]; 2, as in the papers'
    /// clients. 1 to 64.
    public Client withConnectionsMax(int connections) {
        var c = new Client(this);
        c.connectionsMax = (int) check("connectionsMax", connections, 1, 64);
        return c;
    }

    /// The maximum number of calls of a [Shape#PIPELINED] step that are under way at once; 64. 1 to
    /// 10,000.
    public Client withPipelinedMax(int calls) {
        var c = new Client(this);
        c.pipelinedMax = (int) check("pipelinedMax", calls, 1, 10_000);
        return c;
    }

    /// How often a failed call is repeated, at once and on a new connection; 0. 0 to 1,000.
    public Client withRetriesMax(int retries) {
        var c = new Client(this);
        c.retriesMax = (int) check("retriesMax", retries, 0, 1000);
        return c;
    }

    /// Whether a session continues after a call has failed for good; false: the session ends and
    /// counts as failed. If true, the session gets the failure as the [Reply].
    public Client withContinuingAfterFailure(boolean isContinuing) {
        var c = new Client(this);
        c.isContinuingAfterFailure = isContinuing;
        return c;
    }

    /// Whether a user notices at once that the server closes an idle connection, as browsers do,
    /// and opens a new one for the next request; true. If false, as with httperf, the next request
    /// is sent and meets a reset.
    public Client withNoticedCloses(boolean isNoticing) {
        var c = new Client(this);
        c.isNoticingCloses = isNoticing;
        return c;
    }

    /// Whether connections are closed by a reset, which leaves no port in TIME_WAIT; false.
    public Client withResets(boolean isResetting) {
        var c = new Client(this);
        c.isResetting = isResetting;
        return c;
    }

    /// Whether users keep cookies; false. At most 100 each, of 8 KiB together.
    public Client withCookies(boolean hasCookies) {
        var c = new Client(this);
        c.hasCookies = hasCookies;
        return c;
    }

    /// The probability that a user who has a response already revalidates it (`If-None-Match`,
    /// `If-Modified-Since`), if it had a validator; 0. 0 to 1.
    public Client withValidatorShare(double share) {
        var c = new Client(this);
        c.validatorShare = check("validatorShare", share, 0, 1);
        return c;
    }

    /// The rate at which a connection reads a response, in bytes per second; 0 for no limit.
    /// Otherwise at least 100.
    public Client withReceiveRate(long bytes) {
        var c = new Client(this);
        c.receiveRate = bytes == 0 ? 0 : (long) check("receiveRate", bytes, 100, 1e12);
        return c;
    }

    /// The sockets' buffers, in bytes; 0 for the system's default. At most 1 GiB; Linux doubles
    /// them and has limits of its own.
    public Client withSocketBuffers(int receive, int send) {
        var c = new Client(this);
        c.receiveBuffer = (int) check("receiveBuffer", receive, 0, 1 << 30);
        c.sendBuffer = (int) check("sendBuffer", send, 0, 1 << 30);
        return c;
    }

    /// The maximum length of content that is kept for [Use#BODY], in bytes; 1 MiB. Longer content
    /// is [Outcome#BAD_REPLY]. 0 to 1 GiB.
    public Client withBodyMax(int bytes) {
        var c = new Client(this);
        c.bodyMax = (int) check("bodyMax", bytes, 0, 1 << 30);
        return c;
    }

    /// The statuses that count as failures; 500 to 599.
    public Client withFailingStatuses(Set<Integer> statuses) {
        var c = new Client(this);
        c.failing = Set.copyOf(statuses);
        c.isServerErrorFailing = false;
        return c;
    }

    /// Adds a header to every request.
    public Client withHeader(String name, String value) {
        var c = new Client(this);
        var more = new ArrayList<>(fields);
        more.add(new Call.Header(name, value));
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

    public boolean isContinuingAfterFailure() {
        return isContinuingAfterFailure;
    }

    public boolean isNoticingCloses() {
        return isNoticingCloses;
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

    /// Returns which statuses count as failures.
    public IntPredicate failingStatuses() {
        boolean isServerError = isServerErrorFailing;
        Set<Integer> set = failing;
        return status -> isServerError ? status >= 500 : !set.isEmpty() && set.contains(status);
    }

    public List<Call.Header> fields() {
        return fields;
    }

    public Tls tls() {
        return tls;
    }
}
