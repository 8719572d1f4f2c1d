package dev.tandem.config;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The keys of services, of which a table has one. Further kinds of services are added here and in
/// [ServerAssembly].
final class ServiceKeys {
    private static final Section<Service.Redirect> REDIRECT =
            Section.of(
                            new Service.Redirect("/", 308),
                            List.of(
                                    new Key<Service.Redirect, String>(
                                            "to",
                                            ValueTypes.TEXT,
                                            "A URL or a path; {path} stands for the rest of the"
                                                    + " path.",
                                            Service.Redirect::to,
                                            Service.Redirect::withTo),
                                    new Key<Service.Redirect, Integer>(
                                            "status",
                                            ValueTypes.NUMBER,
                                            "301, 302, 303, 307 or 308.",
                                            Service.Redirect::status,
                                            Service.Redirect::withStatus)))
                    .requiring("to");

    private static final Section<Service.FixedResponse> FIXED_RESPONSE =
            Section.of(
                            new Service.FixedResponse(200, "", "text/plain; charset=utf-8"),
                            List.of(
                                    new Key<Service.FixedResponse, String>(
                                            "text",
                                            ValueTypes.TEXT,
                                            "The content of the response.",
                                            Service.FixedResponse::text,
                                            Service.FixedResponse::withText),
                                    new Key<Service.FixedResponse, Integer>(
                                            "status",
                                            ValueTypes.NUMBER,
                                            "200 to 599.",
                                            Service.FixedResponse::status,
                                            Service.FixedResponse::withStatus),
                                    new Key<Service.FixedResponse, String>(
                                            "type",
                                            ValueTypes.TEXT,
                                            "The text's media type.",
                                            Service.FixedResponse::type,
                                            Service.FixedResponse::withType)))
                    .requiring("text");

    private ServiceKeys() {}

    /// Returns the keys for a table that has one service.
    static <T> List<Key<T, ?>> of(
            Function<T, Optional<Service>> get, BiFunction<T, Service, T> set) {
        BiFunction<T, Service, T> once =
                (table, service) -> {
                    if (get.apply(table).isPresent()) {
                        throw new IllegalArgumentException(
                                "there is a service already; set only one of files, cgi, proxy,"
                                        + " fastcgi, redirect, respond");
                    }
                    return set.apply(table, service);
                };
        return List.of(
                new Key<T, Service.StaticFiles>(
                        "files",
                        new Tables.One<>(FolderKeys.SECTION),
                        "Serves the files of a folder.",
                        table -> only(Service.StaticFiles.class, get.apply(table)),
                        once::apply),
                new Key<T, Service.CgiPrograms>(
                        "cgi",
                        new Tables.One<>(CgiKeys.SECTION),
                        "Runs the programs of a folder.",
                        table -> only(Service.CgiPrograms.class, get.apply(table)),
                        once::apply),
                new Key<T, Service.ReverseProxy>(
                        "proxy",
                        new Tables.One<>(ProxyKeys.SECTION),
                        "Forwards requests to other servers, by HTTP.",
                        table -> only(Service.ReverseProxy.class, get.apply(table)),
                        once::apply),
                new Key<T, Service.FastCgiScripts>(
                        "fastcgi",
                        new Tables.One<>(FastCgiKeys.SECTION),
                        "Runs scripts by an application such as php-fpm.",
                        table -> only(Service.FastCgiScripts.class, get.apply(table)),
                        once::apply),
                new Key<T, Service.Redirect>(
                        "redirect",
                        new Tables.One<>(REDIRECT),
                        "Redirects clients.",
                        table -> only(Service.Redirect.class, get.apply(table)),
                        once::apply),
                new Key<T, Service.FixedResponse>(
                        "respond",
                        new Tables.One<>(FIXED_RESPONSE),
                        "Responds with a text.",
                        table -> only(Service.FixedResponse.class, get.apply(table)),
                        once::apply));
    }

    private static <S> @Nullable S only(Class<S> type, Optional<Service> service) {
        return service.filter(type::isInstance).map(type::cast).orElse(null);
    }
}
