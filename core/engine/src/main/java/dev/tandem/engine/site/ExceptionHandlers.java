package dev.tandem.engine.site;

import dev.tandem.http.ExceptionHandler;
import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The exception handlers of a site or of a group of routes, by the types of exceptions. Immutable.
public final class ExceptionHandlers {
    public static final ExceptionHandlers NONE = new ExceptionHandlers(Map.of());

    private static final int INTERNAL_ERROR = 500;

    private final Map<Class<?>, Handling> handlers;

    private ExceptionHandlers(Map<Class<?>, Handling> handlers) {
        this.handlers = Map.copyOf(handlers);
    }

    /// An exception handler for any exception of its type.
    @FunctionalInterface
    private interface Handling {
        void handle(Exchange x, Exception thrown) throws Exception;
    }

    /// Returns these and another one.
    ///
    /// @throws IllegalArgumentException if there is one of this type already
    public <E extends Exception> ExceptionHandlers with(
            Class<E> type, ExceptionHandler<? super E> handler) {
        var all = new HashMap<>(handlers);
        if (all.put(type, (x, thrown) -> handler.handle(x, type.cast(thrown))) != null) {
            throw new IllegalArgumentException(
                    "there is an exception handler of " + type.getName() + " already");
        }
        return new ExceptionHandlers(all);
    }

    public boolean isEmpty() {
        return handlers.isEmpty();
    }

    /// Responds by the handler of the exception's class, or of the nearest superclass that has one,
    /// in place of what the handler that failed has set and written.
    ///
    /// @param x has no committed response
    /// @return false if there is none
    public boolean respond(Exchange x, Throwable thrown) throws Exception {
        if (!(thrown instanceof Exception exception)) {
            return false;
        }
        Handling handling = find(exception.getClass());
        if (handling == null) {
            return false;
        }
        UncommittedResponse.drop(x);
        x.status(exception instanceof HttpException e ? e.status() : INTERNAL_ERROR);
        handling.handle(x, exception);
        return true;
    }

    private @Nullable Handling find(Class<?> thrown) {
        for (Class<?> type = thrown; type != null; type = type.getSuperclass()) {
            Handling handling = handlers.get(type);
            if (handling != null) {
                return handling;
            }
        }
        return null;
    }

    /// Returns a handler whose exceptions these handle.
    public Handler wrap(Handler handler) {
        Filter filter =
                (x, next) -> {
                    try {
                        next.handle(x);
                    } catch (Exception e) {
                        if (x.isCommitted() || !respond(x, e)) {
                            throw e;
                        }
                    }
                };
        return isEmpty() ? handler : filter.wrap(handler);
    }
}
