package dev.tandem.cli;

import dev.tandem.acme.AcmeSettings;
import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.serving.ManageOptions;
import dev.tandem.cli.serving.TlsOptions;
import dev.tandem.fleet.FleetOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The server's own secrets, which applications must not serve: Catalina serves all that is in an
/// application's folder, hidden names among it, but for two folders.
final class ApplicationSecrets {
    private static final String OF_CLASSES = "WEB-INF";
    private static final String OF_ARCHIVE = "META-INF";

    private ApplicationSecrets() {}

    /// @param applications their places
    /// @throws Failure if clients could get a secret
    static void check(Arguments arguments, Collection<Path> applications) {
        Map<Path, String> secrets = of(arguments);
        for (Path application : applications) {
            secrets.forEach(
                    (secret, what) -> {
                        if (isServed(secret, application)) {
                            throw Failure.failed(
                                    secret
                                            + ", "
                                            + what
                                            + ", would be served to clients; put it outside of "
                                            + application);
                        }
                    });
        }
    }

    /// Returns what the secrets are, by their places.
    private static Map<Path, String> of(Arguments arguments) {
        var secrets = new LinkedHashMap<Path, String>();
        if (TlsOptions.areIn(arguments)) {
            TlsOptions.key(arguments).ifPresent(key -> secrets.put(key, "a private key (--key)"));
            AcmeFlags.settings(arguments)
                    .map(AcmeSettings::storage)
                    .ifPresent(folder -> secrets.put(folder, "a folder of private keys (--acme)"));
        }
        if (arguments.has(ManageOptions.TOKEN)) {
            secrets.put(
                    arguments.path(ManageOptions.TOKEN),
                    "the token of the management address (--manage-token)");
        }
        Optional<FleetOptions> fleet =
                FleetFlags.options(arguments).or(FleetMember.file(arguments)::fleet);
        Path shared = fleet.map(FleetOptions::secret).orElse(null);
        if (shared != null) {
            secrets.put(shared, "the fleet's keys (--secret, fleet.secret)");
        }
        return secrets;
    }

    private static boolean isServed(Path secret, Path application) {
        try {
            Path root = application.toRealPath();
            Path file = secret.toRealPath();
            if (!Files.isDirectory(root) || !file.startsWith(root)) {
                return false;
            }
            String first = String.valueOf(root.relativize(file).getName(0));
            return !first.equalsIgnoreCase(OF_CLASSES) && !first.equalsIgnoreCase(OF_ARCHIVE);
        } catch (IOException _) {
            return false; // what does not exist is a problem of its own
        }
    }
}
