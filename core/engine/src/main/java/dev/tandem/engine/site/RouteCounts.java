package dev.tandem.engine.site;

import dev.tandem.http.HttpVersion;
import dev.tandem.http.RequestHead;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Counts the responses of a route: by method, version, scheme, status and duration, as
/// OpenTelemetry's conventions for HTTP metrics want it. Counting takes some tens of nanoseconds
/// and allocates only what is counted for the first time. Any thread may call any method.
public final class RouteCounts {
    /// OpenTelemetry's name for unknown methods, and for errors without a type.
    public static final String OTHER = "_OTHER";

    /// Stands for the status of a response that was not sent to its end.
    public static final int INCOMPLETE = 0;

    /// 64 series for a route: what a client chooses, such as methods and versions, must not use up
    /// the series of all routes. Responses beyond that are counted in the route's overflow series.
    static final int SERIES_MAX = 64;

    /// Those that OpenTelemetry's conventions know: RFC 9110, section 9.3, and RFC 5789. The most
    /// frequent first.
    public static final List<String> METHODS =
            List.of("GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE");

    /// The status of a rejection; its duration says nothing of the handlers.
    private static final int REJECTED = 503;

    private static final int SERVER_ERROR = 500;

    private final String pattern;

    /// Series that routes may still begin, in all.
    private final AtomicInteger remaining;

    private final RouteSeries succeeded = RouteSeries.ofOverflow(false);
    private final RouteSeries failed = RouteSeries.ofOverflow(true);

    /// Copied on change, which takes the lock.
    private volatile OfMethod[] methods = {};

    private int series;

    /// @param pattern empty if there is no route
    /// @param remaining number of series that all routes together may still begin
    RouteCounts(String pattern, AtomicInteger remaining) {
        this.pattern = pattern;
        this.remaining = remaining;
    }

    public String pattern() {
        return pattern;
    }

    /// Counts the response to a request.
    ///
    /// @param status of the response, 100 to 599, or [#INCOMPLETE]
    /// @param nanos from the decoded head to the written response
    public void responded(RequestHead head, boolean isSecure, int status, long nanos) {
        responded(head.method(), head.version(), isSecure, status, nanos);
    }

    /// Counts a response.
    ///
    /// @param version null if it is not known
    /// @param status of the response, 100 to 599, or [#INCOMPLETE]
    /// @param nanos from the decoded head to the written response
    public void responded(
            String method,
            @Nullable HttpVersion version,
            boolean isSecure,
            int status,
            long nanos) {
        OfMethod counts = ofMethod(method);
        series(counts, version, isSecure, status).add(nanos);
        if (status != INCOMPLETE && status != REJECTED) {
            counts.durations.add(nanos);
        }
    }

    /// Counts the response to a malformed request, whose method is not known.
    public void respondedMalformed(@Nullable HttpVersion version, boolean isSecure, int status) {
        responded(OTHER, version, isSecure, status, 0);
    }

    private OfMethod ofMethod(String method) {
        for (OfMethod known : methods) {
            if (known.method.equals(method)) {
                return known;
            }
        }
        return begin(METHODS.contains(method) ? method : OTHER);
    }

    private synchronized OfMethod begin(String method) {
        for (OfMethod known : methods) {
            if (known.method.equals(method)) {
                return known;
            }
        }
        var begun = new OfMethod(method);
        OfMethod[] more = Arrays.copyOf(methods, methods.length + 1);
        more[methods.length] = begun;
        methods = more;
        return begun;
    }

    private RouteSeries series(
            OfMethod counts, @Nullable HttpVersion version, boolean isSecure, int status) {
        for (RouteSeries known : counts.series) {
            if (known.is(version, isSecure, status)) {
                return known;
            }
        }
        return begin(counts, version, isSecure, status);
    }

    private synchronized RouteSeries begin(
            OfMethod counts, @Nullable HttpVersion version, boolean isSecure, int status) {
        for (RouteSeries known : counts.series) {
            if (known.is(version, isSecure, status)) {
                return known;
            }
        }
        if (series == SERIES_MAX || remaining.getAndUpdate(n -> Math.max(0, n - 1)) == 0) {
            return status >= SERVER_ERROR || status == INCOMPLETE ? failed : succeeded;
        }
        series++;
        var begun = new RouteSeries(counts.method, version, isSecure, status, false);
        RouteSeries[] more = Arrays.copyOf(counts.series, counts.series.length + 1);
        more[counts.series.length] = begun;
        counts.series = more;
        return begun;
    }

    /// The counts of one method; [RouteCounts#OTHER] for all unknown ones.
    public static final class OfMethod {
        private final String method;
        private final Durations durations = new Durations();
        private volatile RouteSeries[] series = {};

        private OfMethod(String method) {
            this.method = method;
        }

        public String method() {
            return method;
        }

        /// Returns the durations of all responses that were sent to their end, except 503.
        public Durations durations() {
            return durations;
        }

        public List<RouteSeries> series() {
            return List.of(series);
        }
    }

    /// Returns the counts by method, in the order of their first requests.
    public List<OfMethod> methods() {
        return List.of(methods);
    }

    /// Returns everything counted, in the order of its first response; that of the overflow last.
    public Stream<RouteSeries> series() {
        return Stream.concat(
                Arrays.stream(methods).flatMap(of -> Arrays.stream(of.series)),
                Stream.of(succeeded, failed).filter(overflow -> overflow.count() > 0));
    }
}
