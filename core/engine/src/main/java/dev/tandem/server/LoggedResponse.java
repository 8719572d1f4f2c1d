package dev.tandem.server;

import dev.tandem.http.Exchange;
import dev.tandem.http.TraceParent;
import dev.tandem.http.h1.Http1RequestHead;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// An answer, for the access log.
///
/// @param id of the exchange; empty if there was none
/// @param nanos since the head was decoded
record LoggedResponse(String id, int status, long bodyBytes, long nanos) {

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
                + x.routePattern();
    }

    /// Writes the access log of an exchange, if there is one.
    static void exchange(
            Http1Exchange x,
            Http1Connection http,
            Http1RequestHead head,
            long bodyBytes,
            long nanos) {
        AccessLog log = http.engine().accessLog();
        if (log != null) {
            new LoggedResponse(x.id(), x.status(), bodyBytes, nanos).tell(log, http, head);
        }
    }

    /// Writes the access log.
    void tell(AccessLog log, Http1Connection http, Http1RequestHead head) {
        log.log(
                new AccessLog.Entry(
                        id,
                        http.connection().socket().remoteAddress(),
                        TlsSocket.isOf(http.connection()),
                        head.method(),
                        head.target().raw(),
                        head.minorVersion(),
                        status,
                        bodyBytes,
                        nanos,
                        fields(log.requestFields(), head)));
    }

    /// The same of what was no request.
    void tell(AccessLog log, Http1Connection http) {
        log.log(
                new AccessLog.Entry(
                        id,
                        http.connection().socket().remoteAddress(),
                        TlsSocket.isOf(http.connection()),
                        "",
                        "",
                        1,
                        status,
                        bodyBytes,
                        nanos,
                        Collections.nCopies(log.requestFields().size(), "")));
    }

    private static List<String> fields(List<String> names, Http1RequestHead head) {
        if (names.isEmpty()) {
            return List.of();
        }
        var values = new ArrayList<String>(names.size());
        for (String name : names) {
            values.add(head.value(name));
        }
        return values;
    }
}
