package dev.tandem.spring;

import dev.tandem.http.RequestTarget;
import dev.tandem.tomcat.FrameworkRoutes;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.http.server.PathContainer;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.util.pattern.PathPatternParser;

/// Routes as controllers declare them: the pattern that Spring will select, found before Spring is
/// called, since admission comes first. As in Spring, the path is matched as it was sent, so with
/// dot segments. Conditions that the request line does not show, such as those on headers, are
/// ignored: then the best of the possible patterns is used. Safe for use by any thread.
final class ControllerRoutes implements FrameworkRoutes, SmartInitializingSingleton {
    private final Supplier<Stream<RequestMappingInfoHandlerMapping>> mappings;
    private final RoutePrefix prefix;
    private final PathContainer pathPrefix;
    private final List<String> probes;
    private volatile RouteTable table = RouteTable.EMPTY;

    /// @param probes patterns of health checks
    ControllerRoutes(
            ObjectProvider<RequestMappingInfoHandlerMapping> mappings,
            RoutePrefix prefix,
            List<String> probes) {
        this.mappings = mappings::orderedStream;
        this.prefix = prefix;
        this.pathPrefix = PathContainer.parsePath(prefix.path());
        this.probes = List.copyOf(probes);
    }

    /// Called when all mappings exist, and before the first request.
    @Override
    public void afterSingletonsInstantiated() {
        table = RouteTable.of(mappings.get().flatMap(ControllerRoutes::entries).toList());
    }

    private static Stream<RouteTable.Entry> entries(RequestMappingInfoHandlerMapping mapping) {
        PathPatternParser own = mapping.getPatternParser();
        PathPatternParser parser = own == null ? PathPatternParser.defaultInstance : own;
        return mapping.getHandlerMethods().keySet().stream()
                .flatMap(info -> RouteTable.entries(info, parser).stream());
    }

    @Override
    public @Nullable String routeOf(String method, RequestTarget target) {
        try {
            PathContainer path = PathContainer.parsePath(path(target));
            if (!isInside(path)) {
                return null;
            }
            PathContainer inside = path.subPath(pathPrefix.elements().size());
            RouteTable.Entry found = table.find(method, inside);
            return found == null ? null : name(method, prefix.path(), found);
        } catch (IllegalArgumentException e) {
            return null; // a percent sign that is not an escape
        }
    }

    /// Returns the path as sent.
    private static String path(RequestTarget target) {
        return switch (target.form()) {
            case ORIGIN -> beforeQuery(target.raw());
            case ABSOLUTE -> {
                String url = beforeQuery(target.raw());
                int slash = url.indexOf('/', url.indexOf("//") + 2);
                yield slash < 0 ? "/" : url.substring(slash);
            }
            case AUTHORITY, ASTERISK -> "/";
        };
    }

    private static String beforeQuery(String raw) {
        int end = raw.indexOf('?');
        return end < 0 ? raw : raw.substring(0, end);
    }

    private boolean isInside(PathContainer path) {
        List<PathContainer.Element> all = path.elements();
        List<PathContainer.Element> first = pathPrefix.elements();
        if (all.size() < first.size()) {
            return false;
        }
        for (int i = 0; i < first.size(); i++) {
            if (!RouteTable.text(all.get(i)).equals(RouteTable.text(first.get(i)))) {
                return false;
            }
        }
        return true;
    }

    private static String name(String method, String pathPrefix, RouteTable.Entry found) {
        String pattern = pathPrefix + found.pattern().getPatternString();
        return found.methods().isEmpty() ? pattern : method + " " + pattern;
    }

    @Override
    public boolean isProbe(String route) {
        if (!route.contains("/")) {
            return false; // not one of ours: a name that the connector uses for unknown routes
        }
        String pattern = route.substring(route.indexOf('/'));
        String inside = pattern.substring(Math.min(prefix.path().length(), pattern.length()));
        return probes.contains(inside)
                || prefix.health().stream()
                        .anyMatch(path -> inside.equals(path) || inside.startsWith(path + "/"));
    }
}
