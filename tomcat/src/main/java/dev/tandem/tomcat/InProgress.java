package dev.tandem.tomcat;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.valves.ValveBase;

/// Counts the requests that an application is at. Safe for use by several threads.
final class InProgress extends ValveBase {
    /// How often it is looked: 50 ms.
    private static final long LOOK_MILLIS = 50;

    private final AtomicInteger calls = new AtomicInteger();

    InProgress() {
        super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        calls.incrementAndGet();
        try {
            getNext().invoke(request, response);
        } finally {
            calls.decrementAndGet();
        }
    }

    /// Waits until there are none, in two looks, as one that was mapped may not be counted yet.
    ///
    /// @return whether there are none
    boolean awaitNone(StandardContext context, long waitMillis) throws InterruptedException {
        int quiet = 0;
        for (long left = waitMillis; left > 0 && quiet < 2; left -= LOOK_MILLIS) {
            Thread.sleep(LOOK_MILLIS);
            boolean isNone = calls.get() == 0 && context.getInProgressAsyncCount() == 0;
            quiet = isNone ? quiet + 1 : 0;
        }
        return quiet >= 2;
    }
}
