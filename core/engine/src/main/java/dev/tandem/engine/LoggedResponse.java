package dev.tandem.engine;

import dev.tandem.AccessLog;
import dev.tandem.Step;
import dev.tandem.http.Exchange;
import dev.tandem.http.HttpVersion;
import dev.tandem.http.RequestHead;
import dev.tandem.http.TraceParent;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A response, for the access log.
///
/// @param id of the exchange; empty if there was none
/// @param nanos since the head was decoded
public record LoggedResponse(String id, int status, long bodyBytes, long nanos) {

    /// Returns the log's description of an exchange whose handler failed: its id, and the trace
    /// that it is part of, if the client named one.
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

    /// Writes the access log of an exchange.
    public void writeTo(AccessLog log, ExchangeIo io) {
        writeTo(log, io.remote(), io.isSecure(), io.head(), io.streamId());
    }

    /// Writes the access log of a request of HTTP/1.
    public void writeTo(AccessLog log, SocketAddress remote, boolean isSecure, RequestHead head) {
        writeTo(log, remote, isSecure, head, 0);
    }

    private void writeTo(
            AccessLog log, SocketAddress remote, boolean isSecure, RequestHead head, int streamId) {
        log.log(entry(log, remote, isSecure, head, streamId));
    }

    /// Returns the access log's entry of an exchange.
    AccessLog.Entry entry(AccessLog log, ExchangeIo io) {
        return entry(log, io.remote(), io.isSecure(), io.head(), io.streamId());
    }

    private AccessLog.Entry entry(
            AccessLog log, SocketAddress remote, boolean isSecure, RequestHead head, int streamId) {
        return new AccessLog.Entry(
                id,
                remote,
                isSecure,
                head.method(),
                head.target().raw(),
                head.version(),
                streamId,
                status,
                bodyBytes,
                nanos,
                fields(log.requestFields(), head));
    }

    /// Writes the access log of a malformed request.
    public void writeTo(
            AccessLog log, SocketAddress remote, boolean isSecure, HttpVersion version) {
        log.log(
                new AccessLog.Entry(
                        id,
                        remote,
                        isSecure,
                        "",
                        "",
                        version,
                        0,
                        status,
                        bodyBytes,
                        nanos,
                        Collections.nCopies(log.requestFields().size(), "")));
    }

    private static List<String> fields(List<String> names, RequestHead head) {
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
