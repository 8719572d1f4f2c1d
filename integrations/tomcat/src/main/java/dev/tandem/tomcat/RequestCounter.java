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
    private final AtomicInteger running = new AtomicInteger();

    RequestCounter() {
        super(true);
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

    /// Returns whether no request is running. A request that has just been mapped may not be
    /// counted yet: so check twice.
    boolean isIdle(StandardContext context) {
        return running.get() == 0 && context.getInProgressAsyncCount() == 0;
    }
}
