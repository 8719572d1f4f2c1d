package dev.tandem.observe;

import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.http.TraceParent;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;

/// Reports each request to OpenTelemetry: a span of kind SERVER, named by method and route, with
/// the attributes of its conventions for HTTP server spans
/// (opentelemetry.io/docs/specs/semconv/http/http-spans), as part of the trace that the client
/// sends. While the handler runs its span is the current one, so instrumented clients propagate the
/// trace; its identity is also the exchange's attribute `traceparent` ([TraceParent]).
///
/// ```java
/// tandem.filter(new OpenTelemetryFilter(openTelemetry))
/// ```
///
/// Like every filter, it keeps prepared responses from being used.
public final class OpenTelemetryFilter implements Filter {
    private static final int SERVER_ERROR = 500;

    private final Tracer tracer;

    /// @param openTelemetry with any exporter and sampler
    public OpenTelemetryFilter(OpenTelemetry openTelemetry) {
        this.tracer = openTelemetry.getTracer("dev.tandem");
    }

    @Override
    public void apply(Exchange x, Handler next) throws Exception {
        Span span = startSpan(x);
        try (Scope _ = span.makeCurrent()) {
            SpanContext own = span.getSpanContext();
            if (own.isValid()) {
                x.attribute(
                        TraceParent.HEADER,
                        new TraceParent(own.getTraceId(), own.getSpanId(), own.isSampled()));
            }
            next.handle(x);
            setStatus(span, x.status());
        } catch (HttpException e) {
            setStatus(span, e.status());
            throw e;
        } catch (Throwable e) {
            span.recordException(e);
            setStatus(span, x.isCommitted() ? x.status() : SERVER_ERROR);
            span.setAttribute("error.type", e.getClass().getName());
            span.setStatus(StatusCode.ERROR);
            throw e;
        } finally {
            span.end();
        }
    }

    private Span startSpan(Exchange x) {
        SpanBuilder builder = tracer.spanBuilder(name(x)).setSpanKind(SpanKind.SERVER);
        new RequestAttributes(x).addTo(builder);
        TraceParent parent = TraceParent.of(x.request());
        return builder.setParent(parent == null ? Context.root() : context(parent)).startSpan();
    }

    /// Returns `{method} {http.route}`, or the method where no route matched; `HTTP` stands for an
    /// unknown method.
    private static String name(Exchange x) {
        String method = RequestAttributes.isKnown(x.method()) ? x.method() : "HTTP";
        return RequestAttributes.hasRoute(x) ? method + " " + x.routePattern() : method;
    }

    private static Context context(TraceParent parent) {
        TraceFlags flags = parent.isSampled() ? TraceFlags.getSampled() : TraceFlags.getDefault();
        SpanContext remote =
                SpanContext.createFromRemoteParent(
                        parent.traceId(), parent.parentId(), flags, TraceState.getDefault());
        return Context.root().with(Span.wrap(remote));
    }

    private static void setStatus(Span span, int status) {
        span.setAttribute("http.response.status_code", status);
        if (status >= SERVER_ERROR) {
            span.setAttribute("error.type", Integer.toString(status));
            span.setStatus(StatusCode.ERROR);
        }
    }
}
