package dev.tandem.config;

import dev.tandem.AccessLog;
import dev.tandem.ErrorPage;
import dev.tandem.Tandem;
import dev.tandem.VirtualHost;
import dev.tandem.acme.AcmeCertificates;
import dev.tandem.filters.BasicAuth;
import dev.tandem.filters.Rules;
import dev.tandem.filters.StatusPages;
import dev.tandem.filters.Users;
import dev.tandem.fleet.Fleet;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.tls.CertificateSource;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Builds a server from a configuration. Further kinds of services are added to [#add].
///
/// @param backends returns handlers that need a resource
/// @param folders creates handlers of files
/// @param fleet reports to load balancers; null for none
/// @param acme certificates from authorities
/// @param inherited sockets that were open when the process was started
record ServerAssembly(
        BiFunction<Service, @Nullable Path, Handler> backends,
        FolderFactory folders,
        @Nullable Fleet fleet,
        AcmeSources acme,
        List<InheritedSocket> inherited) {

    /// Pattern suffix of a path and everything below it.
    private static final String SUBTREE = "/{path...}";

    /// @throws IOException if a named socket was not inherited
    Tandem createServer(Configuration configuration, @Nullable AccessLog log) throws IOException {
        Tandem tandem = addListeners(configuration.listeners());
        tandem.options(configuration.limits());
        tandem.inherit(inherited.stream().map(InheritedSocket::listener).toList());
        if (log != null) {
            tandem.accessLog(log);
        }
        if (configuration.manage().isPresent()) {
            manage(tandem, configuration.manage().get());
        }
        if (folders.pageCache() != null) {
            PageCacheGauges.add(folders.pageCache(), tandem);
        }
        if (fleet != null) {
            fleet.addToContainer(tandem); // filters are added to each site
        }
        boolean hasFallback = false;
        for (SiteSettings site : configuration.sites()) {
            if (site.hosts().isEmpty()) {
                hasFallback = true;
                add(site, tandem::route);
                addFilters(tandem, site);
            } else {
                tandem.host(host(site));
            }
        }
        if (!hasFallback) {
            tandem.route("*", SUBTREE, Handler.nonBlocking(_ -> rejectUnknownHost()));
            addProofs(tandem::route);
        }
        return tandem;
    }

    private static void rejectUnknownHost() {
        throw new HttpException(421, "no site of this name is here");
    }

    private static void manage(Tandem tandem, ManagementSettings manage) throws IOException {
        if (manage.allowsTraces()) {
            tandem.manageTraces();
        }
        if (manage.tokenFile().isPresent()) {
            Path token = manage.tokenFile().get();
            tandem.manageToken(TokenFile.read(token));
            TokenFile.exposure(token)
                    .ifPresent(
                            warning ->
                                    System.getLogger("dev.tandem.config")
                                            .log(Level.WARNING, warning));
        }
        if (manage.address() instanceof Address.Unix(Path socket)) {
            tandem.manage(socket);
        } else if (manage.address() instanceof Address.Inet(String host, int port)) {
            if (manage.isOpen()) {
                tandem.manageOpenly(host, port);
            } else {
                tandem.manage(host, port);
            }
        } else {
            throw new IllegalStateException("management is not at " + manage.address());
        }
    }

    // ---- Listeners.

    private Tandem addListeners(List<ListenSettings> listeners) throws IOException {
        Tandem tandem = null;
        for (ListenSettings listen : listeners) {
            SocketAddress address = address(listen.address());
            tandem = tandem == null ? Tandem.listen(address) : tandem.andListen(address);
            if (listen.tls().isPresent()) {
                tandem.tls(settings(listen.tls().get()));
            }
            listen.proxies().forEach(tandem::behindProxy);
        }
        if (tandem == null) {
            throw new IOException("there is no listener");
        }
        return tandem;
    }

    private TlsSettings settings(ListenerTls tls) {
        CertificateSource source =
                tls.acme().isPresent()
                        ? Objects.requireNonNull(acme.used().get(tls.acme().get()))
                        : CertificateSource.NONE;
        return tls.settings(source);
    }

    private SocketAddress address(Address address) throws IOException {
        if (!(address instanceof Address.Inherited(String name))) {
            return address.socket();
        }
        for (InheritedSocket open : inherited) {
            if (open.name().equals(name)) {
                return open.listener().localAddress();
            }
        }
        List<String> names = inherited.stream().map(InheritedSocket::name).toList();
        String why =
                names.contains(InheritedSocket.HANDED_OVER)
                        ? ": sockets that another process hands over have no names"
                        : "; there are "
                                + names
                                + " (FileDescriptorName= of a socket's unit names it)";
        throw new IOException("no socket was inherited for " + address + why);
    }

    // ---- Sites.

    private List<Filter> filters(SiteSettings site) throws IOException {
        var filters = new ArrayList<Filter>();
        if (fleet != null) {
            filters.addAll(fleet.filters());
        }
        if (!site.headers().isEmpty()) {
            filters.add(Filter.headers(site.headers()));
        }
        if (site.filters().password().isPresent()) {
            FilterSettings.PasswordSettings access = site.filters().password().get();
            BasicAuth all = BasicAuth.of(access.realm(), Users.of(access.users()));
            List<String> paths = FrontControllers.of(site).withTheirPaths(access.paths());
            filters.add(exceptForProofs(paths.isEmpty() ? all : all.under(paths)));
        }
        if (!site.filters().rules().isEmpty()) {
            filters.add(exceptForProofs(Rules.of(site.filters().rules())));
        }
        return filters;
    }

    private Filter exceptForProofs(Filter filter) {
        return acme.all().isEmpty() ? filter : new ProofsExcepted(filter);
    }

    private static Optional<ErrorPage> errorPage(SiteSettings site) throws IOException {
        Map<String, String> named = site.filters().errorPages();
        if (named.isEmpty()) {
            return Optional.empty();
        }
        StatusPages pages = StatusPages.of(Validation.paths(named));
        return Optional.of(
                (x, message) -> {
                    if (!pages.trySend(x, message)) {
                        ErrorPage.PLAIN.show(x, message);
                    }
                });
    }

    private VirtualHost host(SiteSettings site) throws IOException {
        VirtualHost host = VirtualHost.of(site.hosts().toArray(String[]::new));
        add(site, host::route);
        filters(site).forEach(host::filter);
        errorPage(site).ifPresent(host::errorPage);
        site.redirectToHttps().ifPresent(host::redirectToHttps);
        site.strictTransport().ifPresent(host::strictTransport);
        return host;
    }

    private void addFilters(Tandem tandem, SiteSettings site) throws IOException {
        filters(site).forEach(tandem::filter);
        errorPage(site).ifPresent(tandem::errorPage);
        site.redirectToHttps().ifPresent(tandem::redirectToHttps);
        site.strictTransport().ifPresent(tandem::strictTransport);
    }

    /// Receives routes.
    @FunctionalInterface
    private interface Routes {
        Object add(String method, String pattern, Handler handler);
    }

    private void addProofs(Routes routes) {
        if (!acme.all().isEmpty()) {
            routes.add("GET", AcmeCertificates.PATTERN, AcmeCertificates.handler(acme.all()));
        }
    }

    private void add(SiteSettings site, Routes routes) {
        addProofs(routes);
        Path root =
                site.service().orElse(null) instanceof Service.StaticFiles(Path r, var _)
                        ? r
                        : null;
        for (SiteSettings.Location location : site.allLocations()) {
            String path = location.path().equals("/") ? "" : location.path();
            location.service().ifPresent(service -> add(service, path, root, routes));
        }
        FrontControllers.of(site)
                .fixedResponses()
                .forEach((path, response) -> addBoth(path, fixedResponse(response), routes));
    }

    /// @param root the folder that the site's `/` serves, if there is one
    private void add(Service service, String path, @Nullable Path root, Routes routes) {
        if (service instanceof Service.StaticFiles(Path folder, var options)) {
            routes.add("GET", path + SUBTREE, folders.of(folder, options));
        } else if (service instanceof Service.Redirect redirect) {
            addBoth(path, redirect(redirect), routes);
        } else if (service instanceof Service.FixedResponse response) {
            addBoth(path, fixedResponse(response), routes);
        } else {
            routes.add("*", path + SUBTREE, backends.apply(service, root));
        }
    }

    /// Adds the path itself and everything below it.
    private static void addBoth(String path, Handler handler, Routes routes) {
        if (!path.isEmpty()) {
            routes.add("*", path, handler);
        }
        routes.add("*", path + SUBTREE, handler);
    }

    private static Handler redirect(Service.Redirect redirect) {
        return Handler.nonBlocking(
                x -> {
                    String below = x.routePattern().endsWith(SUBTREE) ? x.pathParam("path") : "";
                    String query = x.request().target().query();
                    String to = redirect.to().replace("{path}", UrlPaths.encode(below));
                    boolean passesQuery = query != null && redirect.to().contains("{path}");
                    x.status(redirect.status()).redirect(passesQuery ? to + "?" + query : to);
                });
    }

    private static Handler fixedResponse(Service.FixedResponse response) {
        return Handler.nonBlocking(
                x ->
                        x.status(response.status())
                                .contentType(response.type())
                                .send(response.text()));
    }
}
