package dev.tandem.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/// The paths of the dispatcher servlet and of Actuator's health endpoints.
///
/// @param context the servlet context's path; empty for the root
/// @param servlet the dispatcher servlet's path in it; empty for the root
/// @param health prefixes of the patterns of health checks
record RoutePrefix(String context, String servlet, List<String> health) {

    /// A group of health indicators.
    ///
    /// @param additionalPath such as `server:/healthz`
    record Group(@Nullable String additionalPath) {}

    static RoutePrefix of(Environment environment) {
        return new RoutePrefix(
                path(environment, "server.servlet.context-path"),
                path(environment, "spring.mvc.servlet.path"),
                List.copyOf(health(environment)));
    }

    private static List<String> health(Environment environment) {
        String base = environment.getProperty("management.endpoints.web.base-path", "/actuator");
        String name = environment.getProperty("management.endpoints.web.path-mapping.health", "");
        var health = new ArrayList<String>();
        // As Spring Boot does: a slash at the end is removed, and an empty name is none.
        health.add(withSlash(withoutSlash(base)) + withSlash(name.isBlank() ? "health" : name));
        boolean hasMore =
                environment.getProperty(
                        "management.endpoint.health.probes.add-additional-paths",
                        Boolean.class,
                        false);
        if (hasMore) {
            health.addAll(List.of("/livez", "/readyz"));
        }
        groups(environment).values().stream()
                .map(Group::additionalPath)
                .filter(path -> path != null && path.startsWith("server:"))
                .forEach(path -> health.add(withSlash(path.substring("server:".length()))));
        health.removeIf(String::isEmpty); // otherwise every route would be one
        return health;
    }

    private static Map<String, Group> groups(Environment environment) {
        var bound =
                Binder.get(environment)
                        .bind(
                                "management.endpoint.health.group",
                                Bindable.mapOf(String.class, Group.class));
        return Objects.requireNonNullElse(bound.orElse(null), Map.of());
    }

    private static String withSlash(String path) {
        return path.isEmpty() || path.startsWith("/") ? path : "/" + path;
    }

    private static String path(Environment environment, String key) {
        return withoutSlash(environment.getProperty(key, ""));
    }

    private static String withoutSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    String path() {
        return context + servlet;
    }
}
