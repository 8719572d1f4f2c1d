package dev.tandem;

import dev.tandem.engine.container.Container;
import dev.tandem.engine.site.ExceptionHandlers;
import dev.tandem.engine.site.Site;
import dev.tandem.http.BodyMapper;
import dev.tandem.http.ExceptionHandler;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.Router;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A site of its own for requests that name one of some hosts (RFC 9110, section 7.2):
///
/// ```java
/// Tandem.listen(80).get("/", home)
///         .host(VirtualHost.of("shop.example", "*.shop.example").get("/", shop))
/// ```
///
/// Not safe for use by several threads.
public final class VirtualHost {
    private final List<String> names;
    private final Router.Builder routes = Router.builder();
    private final List<Filter> filters = new ArrayList<>();
    private int redirectPort = Site.Secured.NO_PORT;
    private Map<String, String> secureFields = Map.of();
    private ErrorPage errorPage = ErrorPage.PLAIN;
    private ExceptionHandlers exceptions = ExceptionHandlers.NONE;
    private @Nullable BodyMapper mapper;
    private @Nullable Container container;

    private VirtualHost(List<String> names) {
        this.names = names;
    }

    /// @param names of hosts, without a port, in any case; `*.example.org` is every name below
    ///     `example.org`; a longer one takes precedence
    /// @throws IllegalArgumentException if there is none, or one is not a host name; names it
    public static VirtualHost of(String... names) {
        if (names.length == 0) {
            throw new IllegalArgumentException("a virtual host needs a name");
        }
        var checked = new ArrayList<String>();
        for (String name : names) {
            String small = name.toLowerCase(Locale.ROOT);
            if (!Names.FORM.matcher(small).matches()) {
                throw new IllegalArgumentException(
                        "a host's name is one such as www.example.org or *.example.org, was '"
                                + name
                                + "'");
            }
            checked.add(small);
        }
        return new VirtualHost(List.copyOf(checked));
    }

    /// Returns the site of all hosts without one of their own.
    static VirtualHost ofAll() {
        return new VirtualHost(List.of());
    }

    List<String> names() {
        return names;
    }

    public VirtualHost get(String pattern, Handler handler) {
        return route("GET", pattern, handler);
    }

    public VirtualHost post(String pattern, Handler handler) {
        return route("POST", pattern, handler);
    }

    /// As [Tandem#route].
    public VirtualHost route(String method, String pattern, Handler handler) {
        routes.add(method, pattern, handler);
        return this;
    }

    /// As [Tandem#group].
    public VirtualHost group(String path, Consumer<RouteGroup> routes) {
        var group = new RouteGroup(path);
        routes.accept(group);
        group.addTo(this::route);
        return this;
    }

    /// As [Tandem#filter(Filter)].
    public VirtualHost filter(Filter filter) {
        filters.add(filter);
        return this;
    }

    /// As [Tandem#filter(String, Filter)].
    public VirtualHost filter(String path, Filter filter) {
        return filter(new PathFilter(path, filter));
    }

    /// As [Tandem#exception].
    public <E extends Exception> VirtualHost exception(
            Class<E> type, ExceptionHandler<? super E> handler) {
        exceptions = exceptions.with(type, handler);
        return this;
    }

    /// As [Tandem#mapper].
    public VirtualHost mapper(BodyMapper mapper) {
        this.mapper = mapper;
        return this;
    }

    /// As [Tandem#errorPage].
    public VirtualHost errorPage(ErrorPage errorPage) {
        this.errorPage = errorPage;
        return this;
    }

    /// As [Tandem#redirectToHttps].
    public VirtualHost redirectToHttps(int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port must be 1..65535, was " + port);
        }
        redirectPort = port;
        return this;
    }

    /// As [Tandem#strictTransport].
    public VirtualHost strictTransport(Duration age) {
        if (age.isNegative()) {
            throw new IllegalArgumentException("age must not be negative, was " + age);
        }
        secureFields = Map.of("Strict-Transport-Security", "max-age=" + age.toSeconds());
        return this;
    }

    /// As [Tandem#container].
    void container(Container container) {
        this.container = container;
    }

    @Nullable Container container() {
        return container;
    }

    /// @throws IllegalArgumentException if two routes are in conflict; names them
    Site site(Site.Shared shared) {
        if (container != null) {
            return new Site(container, shared);
        }
        var secured = new Site.Secured(redirectPort, secureFields);
        String name = names.isEmpty() ? "" : names.getFirst();
        var failures = new Site.Failures(errorPage, exceptions);
        var plan = new Site.Plan(name, routes.build(), filters, failures, secured, mapper);
        return new Site(plan, shared);
    }

    /// Loaded only where there are names.
    private static final class Names {
        static final Pattern FORM =
                Pattern.compile("(\\*\\.)?[a-z0-9_-]+(\\.[a-z0-9_-]+)*|\\[[0-9a-f:.]+]");
    }
}
