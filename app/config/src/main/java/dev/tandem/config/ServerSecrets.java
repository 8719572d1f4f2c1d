package dev.tandem.config;

import dev.tandem.fleet.FleetOptions;
import dev.tandem.logs.AccessSettings;
import dev.tandem.tls.CertificateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The server's own secrets, which it must not serve: a folder of files may have them in it. File
/// modes do not help, since the server's user owns them.
public final class ServerSecrets {
    /// What a folder of certificates from authorities has in it.
    private static final List<String> ORDERED =
            List.of("authority/account.pem", "authority/name/fullchain.pem");

    private ServerSecrets() {}

    /// A secret.
    ///
    /// @param what it is, and by which key and flag it is named
    private record Secret(Path path, String what, PrivateFolder files) {
        String served(String how, PrivateFolder.Served by) {
            return path + ", " + what + ", " + how + "; " + by.wayOut("it");
        }
    }

    /// Returns a line for each secret that clients could get.
    static List<String> problems(Configuration configuration, RealPaths real) {
        return served(configuration, site -> !isPrivate(site), "would be served to clients", real);
    }

    /// Returns a line for each secret that all can get who have the password of a site: its
    /// operator may be the only one.
    static List<String> warnings(Configuration configuration, RealPaths real) {
        return served(
                configuration,
                ServerSecrets::isPrivate,
                "is served to all who have a site's password",
                real);
    }

    private static boolean isPrivate(SiteSettings site) {
        return site.filters()
                .password()
                .filter(FilterSettings.PasswordSettings::isForAll)
                .isPresent();
    }

    private static List<String> served(
            Configuration configuration,
            Predicate<SiteSettings> sites,
            String how,
            RealPaths real) {
        var lines = new ArrayList<String>();
        for (Secret secret : of(configuration)) {
            served(secret.files(), configuration, sites, real)
                    .map(by -> secret.served(how, by))
                    .ifPresent(lines::add);
        }
        return lines;
    }

    /// @throws IllegalArgumentException if clients could get a secret; names all such
    static void check(Configuration configuration) {
        List<String> problems = problems(configuration, new RealPaths());
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
    }

    /// Returns a warning for the configuration's own file, and for each log, that clients can get:
    /// the folder of a quick start may have them in it.
    ///
    /// @param file null if there is none
    public static List<String> servedFiles(@Nullable Path file, Configuration configuration) {
        var real = new RealPaths();
        var warnings = new ArrayList<String>();
        if (file != null) {
            served(only(file), configuration, _ -> true, real)
                    .map(by -> file + " itself is served to clients; " + by.wayOut("it"))
                    .ifPresent(warnings::add);
        }
        for (Secret log : logs(configuration)) {
            served(log.files(), configuration, _ -> true, real)
                    .map(by -> log.served("is served to clients", by))
                    .ifPresent(warnings::add);
        }
        return warnings;
    }

    /// Returns the problem of a file that clients could get, with the password of a key in it;
    /// empty if there is none.
    ///
    /// @param text of the file
    static Optional<String> servedPassword(Path file, String text, Configuration configuration) {
        boolean hasPassword =
                configuration.listeners().stream()
                        .flatMap(listen -> listen.tls().stream())
                        .flatMap(tls -> tls.certificates().stream())
                        .map(CertificateFiles::password)
                        .anyMatch(password -> isIn(text, password));
        return hasPassword
                ? served(only(file), configuration, site -> !isPrivate(site), new RealPaths())
                        .map(
                                by ->
                                        "the password of a key, in this file, would be served to"
                                                + " clients; "
                                                + by.wayOut("it")
                                                + ", or write \"${VARIABLE}\"")
                : Optional.empty();
    }

    private static boolean isIn(String text, String password) {
        return !password.isEmpty()
                && (text.contains(Toml.quoted(password)) || text.contains("'" + password + "'"));
    }

    private static Optional<PrivateFolder.Served> served(
            PrivateFolder files,
            Configuration configuration,
            Predicate<SiteSettings> sites,
            RealPaths real) {
        return configuration.sites().stream()
                .filter(sites)
                .flatMap(site -> files.servedBy(site, real).stream())
                .findFirst();
    }

    // ---- Which there are.

    private static List<Secret> of(Configuration configuration) {
        var secrets = new ArrayList<Secret>();
        for (ListenSettings listen : configuration.listeners()) {
            listen.tls().ifPresent(tls -> addTo(secrets, tls));
        }
        for (SiteSettings site : configuration.sites()) {
            site.filters()
                    .password()
                    .map(FilterSettings.PasswordSettings::users)
                    .ifPresent(users -> secrets.add(file(users, "hashes of passwords (users)")));
        }
        configuration
                .manage()
                .flatMap(ManagementSettings::tokenFile)
                .ifPresent(
                        token ->
                                secrets.add(
                                        file(
                                                token,
                                                "the token of the management address"
                                                        + " (token_file, --manage-token)")));
        Path shared = configuration.fleet().map(FleetOptions::secret).orElse(null);
        if (shared != null) {
            secrets.add(fileOrFolder(shared, "the fleet's keys (secret, --secret)"));
        }
        return secrets;
    }

    /// They have addresses of clients, and targets of requests with tokens in them.
    private static List<Secret> logs(Configuration configuration) {
        var logs = new ArrayList<Secret>();
        configuration
                .errorLog()
                .file()
                .ifPresent(log -> logs.add(file(log, "the error log (error_log)")));
        configuration
                .accessLog()
                .flatMap(AccessSettings::file)
                .ifPresent(log -> logs.add(file(log, "the access log (access_log, --access-log)")));
        return logs;
    }

    private static void addTo(List<Secret> secrets, ListenerTls tls) {
        for (CertificateFiles files : tls.certificates()) {
            Path key = keyFile(files);
            if (key != null) {
                String name = files.key() == null ? "chain" : "key, --key";
                secrets.add(file(key, "a private key (certificate." + name + ")"));
            }
        }
        tls.ticketKeys()
                .ifPresent(
                        keys -> secrets.add(fileOrFolder(keys, "keys of tickets (ticket_keys)")));
        tls.acme()
                .ifPresent(
                        acme ->
                                secrets.add(
                                        new Secret(
                                                acme.storage(),
                                                "a folder of private keys (storage)",
                                                new PrivateFolder(
                                                        acme.storage(), ORDERED, false))));
    }

    /// Returns the file with a certificate's key; null if it comes from elsewhere.
    private static @Nullable Path keyFile(CertificateFiles files) {
        if (files.source() != null) {
            return null;
        }
        return files.key() == null ? files.chain() : files.key();
    }

    private static Secret file(Path path, String what) {
        return new Secret(path, what, only(path));
    }

    private static PrivateFolder only(Path file) {
        Path absolute = file.toAbsolutePath();
        Path parent = absolute.getParent();
        return parent == null
                ? new PrivateFolder(absolute, List.of(), false)
                : new PrivateFolder(parent, List.of(String.valueOf(absolute.getFileName())), false);
    }

    private static Secret fileOrFolder(Path path, String what) {
        return Files.isDirectory(path)
                ? new Secret(path, what, new PrivateFolder(path, names(path), false))
                : file(path, what);
    }

    private static List<String> names(Path folder) {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> String.valueOf(file.getFileName()))
                    .toList();
        } catch (IOException _) {
            return List.of(); // the server says so when it reads them
        }
    }
}
