package dev.tandem.server;

import dev.tandem.http.Exchange;
import dev.tandem.http.TraceParent;
import dev.tandem.http.h1.Head;

/// Writes the access log, if there is one.
final class Logged {
    private Logged() {}

    /// What the log says of an exchange whose handler failed: its id, and the trace that it is part
    /// of, if that was told.
    static String failure(Exchange x) {
        TraceParent trace = TraceParent.of(x.request());
        String name = trace == null ? x.id() : x.id() + " of trace " + trace.traceId();
        return "exchange "
                + name
                + " failed in "
                + Step.HANDLE
                + ": "
                + x.method()
                + " "
                + x.route();
    }

    /// @param nanos since the head was decoded
    static void tell(Http1 http, Head head, int status, long bodyBytes, long nanos) {
        AccessLog log = http.engine().accessLog();
        if (log != null) {
            log.log(
                    new AccessLog.Entry(
                            http.connection().socket().remote(),
                            head.method(),
                            head.target().raw(),
                            status,
                            bodyBytes,
                            nanos));
        }
    }
}
