package dev.tandem.tomcat;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.valves.ValveBase;

/// Counts the running requests of an application. Safe for use by several threads.
final class RequestCounter extends ValveBase {
    private final TandemEndpoint endpoint;
    private final AtomicInteger running = new AtomicInteger();

    /// @param endpoint that the requests come from
    RequestCounter(TandemEndpoint endpoint) {
        super(true);
        this.endpoint = endpoint;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        running.incrementAndGet();
        try {
            getNext().invoke(request, response);
        } finally {
            running.decrementAndGet();
        }
    }

    /// Returns whether no request is running. One that has just been mapped, or has just become
    /// async, may not be counted yet: so check twice.
    ///
    /// Catalina's own count stays above 0 for ever once a servlet has started async mode and then
    /// failed.
    boolean isIdle(StandardContext context) {
        return running.get() == 0
                && (context.getInProgressAsyncCount() == 0 || !endpoint.hasAsyncRequestOf(context));
    }
}
