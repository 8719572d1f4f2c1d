package dev.tandem.cli.serving;

import dev.tandem.Tandem;
import dev.tandem.cli.certificate.LocalCertificate;
import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The TLS options of commands that start a server: the address and the certificate. Without a
/// certificate, one for localhost is created and kept in the [StateFolder], so that a browser must
/// accept it only once.
///
/// @param terminal where the certificate's file is printed
public record TlsOptions(Terminal terminal) {
    /// When the certificate is made again: a month before it ends.
    private static final Duration AGE_MAX = Duration.ofDays(LocalCertificate.DAYS_MAX - 30L);

    static final Option TLS =
            new Option("--tls", "ADDR:PORT", "", "TLS address, in addition to --listen");
    static final Option CERT =
            new Option("--cert", "FILE", "", "certificates in PEM form; else one is created");
    static final Option KEY = new Option("--key", "FILE", "", "the key of --cert in PEM form");

    public static List<Option> all() {
        return List.of(TLS, CERT, KEY);
    }

    public static boolean areIn(Arguments arguments) {
        return arguments.has(TLS);
    }

    /// Returns whether a certificate is given.
    public static boolean areFilesIn(Arguments arguments) {
        return arguments.has(CERT) || arguments.has(KEY);
    }

    /// Returns the file of the key that is given, if one is.
    ///
    /// @throws Failure if it is no path
    public static Optional<Path> key(Arguments arguments) {
        return arguments.has(KEY) ? Optional.of(arguments.path(KEY)) : Optional.empty();
    }

    public static Listen listen(Arguments arguments) {
        try {
            return Listen.parse(arguments.value(TLS));
        } catch (IllegalArgumentException e) {
            throw arguments.usageError("--tls " + e.getMessage());
        }
    }

    /// Adds a TLS listener, if it is requested.
    public void addTo(Tandem server, Arguments arguments) {
        listener(arguments).accept(server);
    }

    /// Checks the options, creates the certificate if there is none, and returns what adds the TLS
    /// listener to a server that is built later; it does nothing if none is requested.
    public Consumer<Tandem> listener(Arguments arguments) {
        Optional<CertificateFiles> files = certificates(arguments);
        if (files.isEmpty()) {
            return _ -> {};
        }
        Listen listen = listen(arguments);
        TlsSettings settings = TlsSettings.of(files.get());
        return server -> server.andListen(listen.host(), listen.port()).tls(settings);
    }

    /// Returns the certificate of the TLS listener, if one is requested.
    public Optional<CertificateFiles> certificates(Arguments arguments) {
        boolean isGiven = areFilesIn(arguments);
        if (!areIn(arguments)) {
            if (isGiven) {
                throw arguments.usageError("--cert and --key need --tls ADDR:PORT");
            }
            return Optional.empty();
        }
        if (arguments.has(CERT) != arguments.has(KEY)) {
            throw arguments.usageError("--cert and --key belong together");
        }
        return Optional.of(isGiven ? given(arguments) : ours());
    }

    private static CertificateFiles given(Arguments arguments) {
        try {
            return CertificateFiles.pem(
                    Path.of(arguments.value(CERT)), Path.of(arguments.value(KEY)));
        } catch (InvalidPathException e) {
            throw arguments.usageError("--cert or --key is no path: " + e.getMessage());
        }
    }

    private CertificateFiles ours() {
        try {
            Path folder = StateFolder.ofProcess().child("localhost");
            Path chain = folder.resolve("cert.pem");
            Path key = folder.resolve("key.pem");
            if (!isUsable(chain, key)) {
                Files.deleteIfExists(chain);
                Files.deleteIfExists(key);
                LocalCertificate.makeIn(folder);
            }
            terminal.err().println(explanation(chain));
            return CertificateFiles.pem(chain, key);
        } catch (IOException | GeneralSecurityException | InvalidPathException e) {
            throw Failure.failed(
                    "cannot make a certificate ("
                            + e.getMessage()
                            + "); name one by --cert, --key");
        }
    }

    private static String explanation(Path chain) {
        return """
        tandem: uses its own certificate for localhost, %s: a browser warns of it once.
                To be trusted without a warning: tandem cert --ca CA_DIR --out DIR, import
                CA_DIR/ca.pem in the browser, and start with --cert DIR/cert.pem --key
                DIR/key.pem (docs/https.md)\
        """
                .formatted(chain);
    }

    /// Returns whether both files exist, only their user can read the key, and the certificate is
    /// valid for another month.
    static boolean isUsable(Path chain, Path key) throws IOException {
        if (!Files.exists(chain) || !Files.exists(key)) {
            return false;
        }
        Instant made = Files.getLastModifiedTime(chain).toInstant();
        return Files.getPosixFilePermissions(key).equals(LocalCertificate.KEY_MODE)
                && made.isAfter(Instant.now().minus(AGE_MAX));
    }

    /// Returns the user's folder of data, by the XDG Base Directory Specification.
    public static Path userData() {
        String data = System.getenv("XDG_DATA_HOME");
        return data == null || data.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".local", "share")
                : Path.of(data);
    }
}
