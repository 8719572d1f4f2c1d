package dev.tandem.engine.site;

import dev.tandem.engine.container.Container;
import dev.tandem.http.Handler;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.Route;
import org.jspecify.annotations.Nullable;

/// What a method and a target lead to. Immutable; shared by threads and kept in their caches.
///
/// @param site whose route it is
/// @param handler answers, behind the site's filters
/// @param pace what is known of how long the route's handler takes
/// @param values of the route's parameters, in their order; not to be changed
/// @param ready the handler again, if it may have answers that lie ready
/// @param readyPath what `ready` is asked with
/// @param container responds in place of the handler; null where there is none
public record Resolved(
        Site site,
        RequestTarget target,
        Route route,
        Handler handler,
        RouteTiming pace,
        String[] values,
        @Nullable PreparedResponseHandler ready,
        String readyPath,
        @Nullable Container container)
        implements Resolution {

    /// Whether the handler runs at once, on the loop.
    public boolean isImmediate() {
        return !handler.isBlocking();
    }

    /// Whether there is nothing to ask: the answer says so, whatever else was sent.
    public boolean isWithoutRoute() {
        return route.pattern().equals(Site.NO_ROUTE);
    }

    /// The answer that lies ready, if there is one: whoever asks for it sends it.
    public @Nullable PreparedResponse readyAnswer(RequestHead head) {
        PreparedResponse answer = ready == null ? null : ready.preparedResponse(head, readyPath);
        if (answer != null) {
            pace.counts().answered(answer.status(), 0); // which is less than telling the time takes
        }
        return answer;
    }

    public String param(String name) {
        int at = route.parameters().indexOf(name);
        if (at < 0) {
            throw new IllegalArgumentException(
                    "route " + route.pattern() + " has no parameter " + name);
        }
        return values[at];
    }
}
