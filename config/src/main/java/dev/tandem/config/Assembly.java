package dev.tandem.config;

import dev.tandem.cgi.Cgi;
import dev.tandem.files.Folder;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.server.AccessLog;
import dev.tandem.server.Tandem;
import dev.tandem.server.VirtualHost;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Makes what serves of what was told. A further kind of service is added to [#add].
///
/// @param programs gives what runs the programs of a service
/// @param inherited sockets that were open when the process was started, by their names
record Assembly(
        BiFunction<Service.Programs, @Nullable Path, Cgi> programs, List<Inherited> inherited) {

    /// A path of the site stands for this and all below it.
    private static final String BELOW = "/{path...}";

    /// @throws IOException if a socket that is named was not inherited
    Tandem tandem(Configuration told, @Nullable AccessLog log) throws IOException {
        Tandem tandem = listening(told.listeners());
        tandem.options(told.limits());
        tandem.inherit(inherited.stream().map(Inherited::listener).toList());
        if (log != null) {
            tandem.accessLog(log);
        }
        if (told.manage().isPresent()) {
            manage(tandem, told.manage().get());
        }
        boolean hasFallback = false;
        for (SiteSettings site : told.sites()) {
            if (site.hosts().isEmpty()) {
                hasFallback = true;
                add(site, tandem::route);
                decorate(tandem, site);
            } else {
                tandem.host(host(site));
            }
        }
        if (!hasFallback) {
            tandem.route("*", BELOW, Handler.nonBlocking(_ -> refuse()));
        }
        return tandem;
    }

    private static void refuse() {
        throw new HttpException(421, "no site of this name is here");
    }

    private static void manage(Tandem tandem, ManageSettings manage) throws IOException {
        if (manage.mayTrace()) {
            tandem.manageTraces();
        }
        if (manage.tokenFile().isPresent()) {
            tandem.manageToken(TokenFile.read(manage.tokenFile().get()));
        }
        Address.Inet at = manage.address();
        if (manage.isOpen()) {
            tandem.manageOpenly(at.host(), at.port());
        } else {
            tandem.manage(at.host(), at.port());
        }
    }

    // ---- Listeners.

    private Tandem listening(List<ListenSettings> listeners) throws IOException {
        Tandem tandem = null;
        for (ListenSettings listen : listeners) {
            SocketAddress address = address(listen.address());
            tandem = tandem == null ? Tandem.listen(address) : tandem.andListen(address);
            if (listen.tls().isPresent()) {
                tandem.tls(listen.tls().get().settings());
            }
            listen.proxies().forEach(tandem::behindProxy);
        }
        if (tandem == null) {
            throw new IOException("nothing is said of where to listen");
        }
        return tandem;
    }

    private SocketAddress address(Address address) throws IOException {
        if (!(address instanceof Address.Inherited(String name))) {
            return address.socket();
        }
        for (Inherited open : inherited) {
            if (open.name().equals(name)) {
                return open.listener().local();
            }
        }
        throw new IOException(
                "no socket named "
                        + name
                        + " was inherited; there are "
                        + inherited.stream().map(Inherited::name).toList()
                        + " (FileDescriptorName= of a socket's unit names it)");
    }

    // ---- Sites.

    private VirtualHost host(SiteSettings site) {
        VirtualHost host = VirtualHost.of(site.hosts().toArray(String[]::new));
        add(site, host::route);
        if (!site.headers().isEmpty()) {
            host.filter(Filter.fields(site.headers()));
        }
        site.redirectToHttps().ifPresent(host::redirectToHttps);
        site.strictTransport().ifPresent(host::strictTransport);
        return host;
    }

    private static void decorate(Tandem tandem, SiteSettings site) {
        if (!site.headers().isEmpty()) {
            tandem.filter(Filter.fields(site.headers()));
        }
        site.redirectToHttps().ifPresent(tandem::redirectToHttps);
        site.strictTransport().ifPresent(tandem::strictTransport);
    }

    /// Takes a route.
    @FunctionalInterface
    private interface Routes {
        Object add(String method, String pattern, Handler handler);
    }

    private void add(SiteSettings site, Routes routes) {
        Path root =
                site.service().orElse(null) instanceof Service.FilesOf(Path r, var _) ? r : null;
        for (SiteSettings.Place place : site.all()) {
            String path = place.path().equals("/") ? "" : place.path();
            place.service().ifPresent(service -> add(service, path, root, routes));
        }
    }

    /// @param root the folder that the site's `/` stands for, if there is one
    private void add(Service service, String path, @Nullable Path root, Routes routes) {
        switch (service) {
            case Service.FilesOf(Path folder, var options) ->
                    routes.add("GET", path + BELOW, Folder.of(folder, options));
            case Service.Programs some -> routes.add("*", path + BELOW, programs.apply(some, root));
            case Service.Redirect redirect -> addBoth(path, redirect(redirect), routes);
            case Service.Answer answer -> addBoth(path, answer(answer), routes);
        }
    }

    /// For the path itself, too.
    private static void addBoth(String path, Handler handler, Routes routes) {
        if (!path.isEmpty()) {
            routes.add("*", path, handler);
        }
        routes.add("*", path + BELOW, handler);
    }

    private static Handler redirect(Service.Redirect redirect) {
        return Handler.nonBlocking(
                x -> {
                    String below = x.route().endsWith(BELOW) ? x.param("path") : "";
                    String query = x.request().target().query();
                    String to = redirect.to().replace("{path}", Paths.encoded(below));
                    boolean isPassedOn = query != null && redirect.to().contains("{path}");
                    x.status(redirect.status()).redirect(isPassedOn ? to + "?" + query : to);
                });
    }

    private static Handler answer(Service.Answer answer) {
        return Handler.nonBlocking(
                x -> x.status(answer.status()).type(answer.type()).send(answer.text()));
    }
}
