package dev.tandem.tomcat;

import dev.tandem.engine.container.Container;
import dev.tandem.http.RequestTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.mapper.MappingData;
import org.apache.tomcat.util.buf.MessageBytes;
import org.jspecify.annotations.Nullable;

/// Routes of requests for admission: the mapping of the servlet that will serve the request. Safe
/// for use by any thread.
final class ServletRoutes {
    private static final String UNKNOWN = "servlets";
    private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");

    /// Known from the start, or from the first request on: Catalina does not inform a protocol
    /// handler which connector it belongs to.
    private volatile @Nullable Connector connector;

    private volatile @Nullable FrameworkRoutes frameworkRoutes;

    void setFrameworkRoutes(FrameworkRoutes routes) {
        frameworkRoutes = routes;
    }

    boolean hasConnector() {
        return connector != null;
    }

    void setConnector(Connector known) {
        connector = known;
    }

    String routeOf(String method, RequestTarget target) {
        FrameworkRoutes known = frameworkRoutes;
        String name = known == null ? null : known.routeOf(method, target);
        return name == null ? servletMapping(target) : name;
    }

    boolean isProbe(String route) {
        FrameworkRoutes known = frameworkRoutes;
        return known != null && known.isProbe(route);
    }

    /// Returns the context's path with the matching pattern, from Catalina's own mapper and for its
    /// default host.
    private String servletMapping(RequestTarget target) {
        Connector known = connector;
        if (known == null) {
            return Container.NOT_KNOWN_YET;
        }
        String path = mappedPath(target);
        if (path == null) {
            return UNKNOWN;
        }
        MessageBytes host = MessageBytes.newInstance();
        MessageBytes uri = MessageBytes.newInstance();
        uri.setString(path);
        uri.toChars();
        var data = new MappingData();
        try {
            known.getService().getMapper().map(host, uri, null, data);
        } catch (IOException e) {
            return UNKNOWN;
        }
        return data.context == null ? UNKNOWN : data.context.getPath() + pattern(data);
    }

    /// Returns the path that Catalina maps: it removes the parameters of each segment, such as
    /// `;jsessionid=1`, before it decodes the path and resolves dot segments.
    ///
    /// @return null if it is invalid without them
    private static @Nullable String mappedPath(RequestTarget target) {
        if (target.path().indexOf(';') < 0) {
            return target.path();
        }
        byte[] plain = withoutParameters(target.raw()).getBytes(StandardCharsets.ISO_8859_1);
        return RequestTarget.parseLenient("GET", plain, 0, plain.length)
                        instanceof RequestTarget parsed
                ? parsed.path()
                : null;
    }

    private static String withoutParameters(String raw) {
        int query = raw.indexOf('?');
        String path = query < 0 ? raw : raw.substring(0, query);
        return PARAMETERS.matcher(path).replaceAll("");
    }

    private static String pattern(MappingData data) {
        if (data.matchType == null) {
            return "/";
        }
        return switch (data.matchType) {
            case EXACT -> data.wrapperPath.toString();
            case PATH -> data.wrapperPath + "/*";
            case EXTENSION -> {
                String path = data.wrapperPath.toString();
                yield "/*" + path.substring(Math.max(0, path.lastIndexOf('.')));
            }
            case CONTEXT_ROOT, DEFAULT -> "/";
            default -> "/";
        };
    }
}
