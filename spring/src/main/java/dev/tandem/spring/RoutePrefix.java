package dev.tandem.spring;

import org.springframework.core.env.Environment;

/// Where the dispatcher servlet is, and Actuator's health.
///
/// @param context the servlet context's path; empty for the root
/// @param servlet the dispatcher servlet's path in it; empty for the root
/// @param health the beginning of the patterns of health checks
record RoutePrefix(String context, String servlet, String health) {

    static RoutePrefix of(Environment environment) {
        String base = environment.getProperty("management.endpoints.web.base-path", "/actuator");
        return new RoutePrefix(
                path(environment, "server.servlet.context-path"),
                path(environment, "spring.mvc.servlet.path"),
                (base.equals("/") ? "" : base) + "/health");
    }

    private static String path(Environment environment, String key) {
        String path = environment.getProperty(key, "");
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    String all() {
        return context + servlet;
    }
}
