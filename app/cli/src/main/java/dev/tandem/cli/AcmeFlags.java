package dev.tandem.cli;

import dev.tandem.acme.AcmeSettings;
import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.serving.TlsOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The flags of `tandem serve DIR` and `tandem run` for certificates from an authority:
/// `[listen.tls.acme]` of a file has more.
final class AcmeFlags {
    private static final Option NAMES =
            new Option(
                    "--acme", "NAMES", "", "Let's Encrypt's certificates, by its terms: A,B,...");
    private static final Option STAGING =
            Option.flag("--acme-staging", "untrusted ones, for a first test of --acme");

    /// Set by systemd for a unit with `StateDirectory=`.
    private static final String STATE_FOLDER = "STATE_DIRECTORY";

    private AcmeFlags() {}

    static List<Option> all() {
        return List.of(NAMES, STAGING);
    }

    /// Returns what is given of them; empty if nothing is.
    ///
    /// @throws dev.tandem.cli.command.Failure if a value is wrong
    static Optional<AcmeSettings> settings(Arguments arguments) {
        if (!arguments.has(NAMES)) {
            if (arguments.has(STAGING)) {
                throw arguments.usageError("--acme-staging needs --acme NAMES");
            }
            return Optional.empty();
        }
        try {
            AcmeSettings settings =
                    AcmeSettings.of(storage(), arguments.value(NAMES).split("\\s*,\\s*", -1));
            return Optional.of(
                    arguments.has(STAGING)
                            ? settings.withDirectory(AcmeSettings.LETS_ENCRYPT_STAGING)
                            : settings);
        } catch (IllegalArgumentException e) {
            throw arguments.usageError("--acme: " + e.getMessage());
        }
    }

    /// Checks the flags that `--acme` goes with.
    ///
    /// @throws dev.tandem.cli.command.Failure if there is no TLS listener, or it has a certificate
    static void checkListener(Arguments arguments) {
        if (!TlsOptions.areIn(arguments)) {
            throw arguments.usageError("--acme needs --tls ADDR:PORT, usually 0.0.0.0:443");
        }
        if (TlsOptions.areFilesIn(arguments)) {
            throw arguments.usageError("--acme or --cert and --key, not both");
        }
    }

    private static Path storage() {
        String state = System.getenv(STATE_FOLDER);
        Path folder =
                state == null || state.isEmpty()
                        ? TlsOptions.userData().resolve("tandem")
                        : Path.of(state.split(":")[0]);
        return folder.resolve("acme");
    }
}
