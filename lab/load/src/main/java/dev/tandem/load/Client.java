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
///
/// @param areConnectionsKept whether connections are kept for the next request; default true.
///     Otherwise each request says `Connection: close`
/// @param connectionsMax the maximum number of connections of a user for [Shape#PARALLEL]; default
///     2, as in the papers' clients. 1 to 64
/// @param pipelinedMax the maximum number of calls of a [Shape#PIPELINED] step that are under way
///     at once; default 64. 1 to 10,000
/// @param retriesMax how often a failed call is repeated, at once and on a new connection (over
///     HTTP/2 on the same one, if only its stream failed); default 0. 0 to 1,000
/// @param isContinuingAfterFailure whether a session continues after a call has failed for good;
///     default false: the session ends and counts as failed. If true, the session gets the failure
///     as the [Reply]
/// @param areClosesNoticed whether a user notices at once that the server closes an idle
///     connection, as browsers do, and opens a new one for the next request; default true. If
///     false, as with httperf, the next request is sent and meets a reset
/// @param isResetting whether connections are closed by a reset, which leaves no port in TIME_WAIT;
///     default false
/// @param hasCookies whether users keep cookies; default false. At most 100 each, of 8 KiB together
/// @param validatorShare the probability that a user who has a response already revalidates it
///     (`If-None-Match`, `If-Modified-Since`), if it had a validator; default 0. 0 to 1
/// @param receiveRate the rate at which a connection reads a response, in bytes per second; default
///     0 for no limit. Otherwise at least 100
/// @param receiveBuffer of a socket, in bytes; default 0 for the system's default. At most 1 GiB;
///     Linux doubles it and has limits of its own
/// @param sendBuffer likewise
/// @param bodyMax the maximum length of content that is kept for [Use#BODY], in bytes; default 1
///     MiB. Longer content is [Outcome#BAD_REPLY]. 0 to 1 GiB
/// @param failingStatuses the statuses that count as failures; default 500 to 599
/// @param fields headers of every request
/// @param http2 for [Version#HTTP_2], for which `connectionsMax` has no meaning: calls are streams;
///     closed connections are always noticed
public record Client(
        Version version,
        boolean areConnectionsKept,
        int connectionsMax,
        int pipelinedMax,
        int retriesMax,
        boolean isContinuingAfterFailure,
        boolean areClosesNoticed,
        boolean isResetting,
        boolean hasCookies,
        double validatorShare,
        long receiveRate,
        int receiveBuffer,
        int sendBuffer,
        int bodyMax,
        IntPredicate failingStatuses,
        List<Call.Header> fields,
        Tls tls,
        Http2 http2)
        implements ClientWith {

    public static final Client DEFAULT =
            new Client(
                    Version.HTTP_1_1,
                    true,
                    2,
                    64,
                    0,
                    false,
                    true,
                    false,
                    false,
                    0,
                    0,
                    0,
                    0,
                    1 << 20,
                    status -> status >= 500,
                    List.of(),
                    Tls.DEFAULT,
                    Http2.DEFAULT);

    /// @throws IllegalArgumentException if a value is out of range; names it
    public Client {
        fields = List.copyOf(fields);
        check("connectionsMax", connectionsMax, 1, 64);
        check("pipelinedMax", pipelinedMax, 1, 10_000);
        check("retriesMax", retriesMax, 0, 1000);
        check("validatorShare", validatorShare, 0, 1);
        if (receiveRate != 0) {
            check("receiveRate", receiveRate, 100, 1e12);
        }
        check("receiveBuffer", receiveBuffer, 0, 1 << 30);
        check("sendBuffer", sendBuffer, 0, 1 << 30);
        check("bodyMax", bodyMax, 0, 1 << 30);
    }

    /// The protocol's version in requests.
    public enum Version {
        /// Closes after each response, unless a header says `Connection: keep-alive`.
        HTTP_1_0("HTTP/1.0"),
        HTTP_1_1("HTTP/1.1"),
        /// See [Http2].
        HTTP_2("HTTP/2");

        private final String text;

        Version(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    private static void check(String name, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(
                    "%s must be %.0f..%.0f, was %s".formatted(name, least, most, value));
        }
    }

    /// Sets the statuses that count as failures.
    public Client withFailingStatuses(Set<Integer> statuses) {
        Set<Integer> failing = Set.copyOf(statuses);
        return withFailingStatuses(
                (IntPredicate) status -> !failing.isEmpty() && failing.contains(status));
    }

    /// Adds a header to every request.
    public Client withHeader(String name, String value) {
        var more = new ArrayList<>(fields);
        more.add(new Call.Header(name, value));
        return withFields(more);
    }
}
