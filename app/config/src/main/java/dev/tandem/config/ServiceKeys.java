package dev.tandem.config;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The keys of which one says what answers. A further kind of service is added here, and in
/// [Assembly].
final class ServiceKeys {
    private static final Section<Service.Redirect> REDIRECT =
            Section.of(
                            new Service.Redirect("/", 308),
                            List.of(
                                    new Key<Service.Redirect, String>(
                                            "to",
                                            Kinds.TEXT,
                                            "A URL or a path; {path} stands for what is below.",
                                            Service.Redirect::to,
                                            (r, to) -> new Service.Redirect(to, r.status())),
                                    new Key<Service.Redirect, Integer>(
                                            "status",
                                            Kinds.NUMBER,
                                            "301, 302, 303, 307 or 308.",
                                            Service.Redirect::status,
                                            (r, status) -> new Service.Redirect(r.to(), status))))
                    .requiring("to");

    private static final Section<Service.Answer> ANSWER =
            Section.of(
                            new Service.Answer(200, "", "text/plain; charset=utf-8"),
                            List.of(
                                    new Key<Service.Answer, String>(
                                            "text",
                                            Kinds.TEXT,
                                            "What is answered.",
                                            Service.Answer::text,
                                            (a, text) ->
                                                    new Service.Answer(a.status(), text, a.type())),
                                    new Key<Service.Answer, Integer>(
                                            "status",
                                            Kinds.NUMBER,
                                            "200 to 599.",
                                            Service.Answer::status,
                                            (a, status) ->
                                                    new Service.Answer(status, a.text(), a.type())),
                                    new Key<Service.Answer, String>(
                                            "type",
                                            Kinds.TEXT,
                                            "The text's media type.",
                                            Service.Answer::type,
                                            (a, type) ->
                                                    new Service.Answer(
                                                            a.status(), a.text(), type))))
                    .requiring("text");

    private ServiceKeys() {}

    /// Those of a table that has one service.
    static <T> List<Key<T, ?>> of(
            Function<T, Optional<Service>> get, BiFunction<T, Service, T> set) {
        BiFunction<T, Service, T> once =
                (table, service) -> {
                    if (get.apply(table).isPresent()) {
                        throw new IllegalArgumentException(
                                "something answers here already; one of files, cgi, proxy, fastcgi,"
                                        + " redirect, answer is enough");
                    }
                    return set.apply(table, service);
                };
        return List.of(
                new Key<T, Service.FilesOf>(
                        "files",
                        new Tables.One<>(FolderKeys.SECTION),
                        "Answers with files of a folder.",
                        table -> only(Service.FilesOf.class, get.apply(table)),
                        once::apply),
                new Key<T, Service.Programs>(
                        "cgi",
                        new Tables.One<>(ProgramKeys.SECTION),
                        "Answers by programs of a folder.",
                        table -> only(Service.Programs.class, get.apply(table)),
                        once::apply),
                new Key<T, Service.Proxied>(
                        "proxy",
                        new Tables.One<>(ProxyKeys.SECTION),
                        "Lets other servers answer, by HTTP.",
                        table -> only(Service.Proxied.class, get.apply(table)),
                        once::apply),
                new Key<T, Service.Scripts>(
                        "fastcgi",
                        new Tables.One<>(ScriptKeys.SECTION),
                        "Answers by scripts that an application such as php-fpm runs.",
                        table -> only(Service.Scripts.class, get.apply(table)),
                        once::apply),
                new Key<T, Service.Redirect>(
                        "redirect",
                        new Tables.One<>(REDIRECT),
                        "Sends clients to another place.",
                        table -> only(Service.Redirect.class, get.apply(table)),
                        once::apply),
                new Key<T, Service.Answer>(
                        "answer",
                        new Tables.One<>(ANSWER),
                        "Answers with a text.",
                        table -> only(Service.Answer.class, get.apply(table)),
                        once::apply));
    }

    private static <S> @Nullable S only(Class<S> type, Optional<Service> service) {
        return service.filter(type::isInstance).map(type::cast).orElse(null);
    }
}
