package dev.tandem.config;

import dev.tandem.filters.StatusPages;
import dev.tandem.filters.Users;
import dev.tandem.tls.CertificateSource;
import dev.tandem.tls.TlsConfigException;
import dev.tandem.tls.TlsContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What only a look into the files that a configuration names can show. Immutable.
///
/// @param problems for which the configuration cannot be used
/// @param warnings certificates that clients reject now, programs that another site serves as they
///     are, a token that others may read, and that the configuration's file is served itself
public record Validation(List<String> problems, List<String> warnings) {
    /// Takes copies.
    public Validation {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    /// Reads certificates with their keys, ticket keys, files of users, error pages and the token
    /// of the management address. Writes nothing, and opens no log.
    public static Validation of(Configuration configuration) {
        var problems = new ArrayList<String>();
        var warnings = new ArrayList<String>();
        var real = new RealPaths();
        problems.addAll(ServerSecrets.problems(configuration, real));
        warnings.addAll(ServerSecrets.warnings(configuration, real));
        for (ListenSettings listen : configuration.listeners()) {
            String where = listen.address() + ": ";
            try {
                invalidCertificates(listen)
                        .forEach(line -> warnings.add("clients reject it: " + where + line));
            } catch (TlsConfigException e) {
                problems.add(where + e.getMessage());
            }
        }
        for (SiteSettings site : configuration.sites()) {
            FilterSettings filters = site.filters();
            String where = String.join(", ", site.displayNames()) + ": ";
            Optional<Path> users = filters.password().map(FilterSettings.PasswordSettings::users);
            users.ifPresent(file -> read(() -> Users.of(file), where, problems));
            read(() -> StatusPages.of(paths(filters.errorPages())), where, problems);
            warnings.addAll(servedPrograms(site, configuration, real));
        }
        Optional<Path> token = configuration.manage().flatMap(ManagementSettings::tokenFile);
        token.ifPresent(file -> read(() -> TokenFile.read(file), "management: ", problems));
        token.flatMap(TokenFile::exposure).ifPresent(warnings::add);
        return new Validation(problems, warnings);
    }

    /// Looks at the configuration's own file and at the logs, too.
    public static Validation of(Configuration configuration, Path file) {
        Validation validation = of(configuration);
        var warnings = new ArrayList<>(validation.warnings());
        warnings.addAll(ServerSecrets.servedFiles(file, configuration));
        return new Validation(validation.problems(), warnings);
    }

    private static List<String> invalidCertificates(ListenSettings listen)
            throws TlsConfigException {
        Optional<ListenerTls> tls = listen.tls();
        return tls.isEmpty() || tls.get().certificates().isEmpty() // they are ordered
                ? List.of()
                : TlsContext.validate(tls.get().settings(CertificateSource.NONE));
    }

    /// Returns programs and scripts of other sites that a site serves as files. That it serves its
    /// own is a mistake that [SiteSettings#check] reports.
    private static List<String> servedPrograms(
            SiteSettings site, Configuration configuration, RealPaths real) {
        String where = String.join(", ", site.displayNames()) + ": ";
        var served = new ArrayList<String>();
        for (SiteSettings other : configuration.sites()) {
            List<SiteSettings.Location> all = other == site ? List.of() : other.allLocations();
            for (SiteSettings.Location location : all) {
                Optional<PrivateFolder> programs = PrivateFolder.of(location);
                Optional<PrivateFolder.Served> by =
                        programs.flatMap(folder -> folder.servedBy(site, real));
                if (by.isPresent()) {
                    served.add(
                            where
                                    + "the programs of "
                                    + programs.get().folder()
                                    + ", which another site runs, are served as files; "
                                    + by.get().wayOut("them"));
                }
            }
        }
        return served;
    }

    /// Returns error pages by status.
    static Map<String, Path> paths(Map<String, String> errorPages) {
        var files = new HashMap<String, Path>();
        errorPages.forEach((status, file) -> files.put(status, Path.of(file)));
        return files;
    }

    /// Reads a file.
    @FunctionalInterface
    private interface Reading {
        Object read() throws IOException;
    }

    private static void read(Reading reading, String where, List<String> problems) {
        try {
            reading.read();
        } catch (IOException | IllegalArgumentException e) {
            problems.add(where + e.getMessage());
        }
    }
}
