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
import java.util.List;
import java.util.Optional;

/// The options of commands that may speak TLS: where, and by which certificate. Without one, a
/// certificate for localhost is made and kept, so that it works at once.
///
/// @param terminal where it is said which certificate is served
public record TlsOptions(Terminal terminal) {
    static final Option TLS =
            new Option("--tls", "ADDR:PORT", "", "where to speak TLS, beside --listen");
    static final Option CERT =
            new Option("--cert", "FILE", "", "certificates in PEM form; else one is made");
    static final Option KEY = new Option("--key", "FILE", "", "the key of --cert in PEM form");

    public static List<Option> all() {
        return List.of(TLS, CERT, KEY);
    }

    public static boolean areIn(Arguments arguments) {
        return arguments.has(TLS);
    }

    public static Listen listen(Arguments arguments) {
        try {
            return Listen.parse(arguments.value(TLS));
        } catch (IllegalArgumentException e) {
            throw arguments.usageError("--tls " + e.getMessage());
        }
    }

    /// Has the server speak TLS as well, if that is asked for.
    public void addTo(Tandem server, Arguments arguments) {
        certificates(arguments)
                .ifPresent(
                        files -> {
                            Listen listen = listen(arguments);
                            server.andListen(listen.host(), listen.port())
                                    .tls(TlsSettings.of(files));
                        });
    }

    /// The certificate to speak TLS with, if that is asked for.
    public Optional<CertificateFiles> certificates(Arguments arguments) {
        boolean isGiven = arguments.has(CERT) || arguments.has(KEY);
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
            Path folder = folder();
            Path chain = folder.resolve("cert.pem");
            Path key = folder.resolve("key.pem");
            if (!Files.exists(chain) || !Files.exists(key)) {
                Files.deleteIfExists(chain);
                Files.deleteIfExists(key);
                LocalCertificate.makeIn(folder);
            }
            terminal.err().println("tandem: serves its own certificate for localhost, " + chain);
            return CertificateFiles.pem(chain, key);
        } catch (IOException | GeneralSecurityException e) {
            throw Failure.failed(
                    "cannot make a certificate ("
                            + e.getMessage()
                            + "); name one by --cert, --key");
        }
    }

    /// Beside what was built, if this is run from there: it then stays the same, and a browser
    /// needs to be told only once.
    private static Path folder() throws IOException {
        String home = System.getProperty("tandem.home", "");
        Path work = Path.of(home.isEmpty() ? "." : home).resolve(".tandem");
        return !home.isEmpty() && Files.isWritable(work)
                ? Files.createDirectories(work.resolve("cert"))
                : Files.createTempDirectory("tandem-cert");
    }
}
