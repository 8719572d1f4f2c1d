package dev.tandem.spring;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/// Responds with 503 instead of 500 if the database is unavailable; after all of the application's
/// own exception handlers.
final class DatabaseUnavailableResolver implements HandlerExceptionResolver, Ordered {
    private final StagedPools pools;

    DatabaseUnavailableResolver(StagedPools pools) {
        this.pools = pools;
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable Object handler,
            Exception failure) {
        boolean isUnavailable = pools.all().stream().anyMatch(pool -> pool.isUnavailable(failure));
        if (!isUnavailable || response.isCommitted()) {
            return null;
        }
        try {
            response.setHeader("Retry-After", "1");
            response.sendError(503, "the database is unavailable: try again soon");
            return new ModelAndView();
        } catch (IOException e) {
            return null; // the client has disconnected
        }
    }
}
