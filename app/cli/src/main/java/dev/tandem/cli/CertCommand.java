package dev.tandem.cli;

import dev.tandem.cli.certificate.KeyStoreFile;
import dev.tandem.cli.certificate.LocalCertificate;
import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;

/// `tandem cert`: creates a certificate for a server on this machine, with its key, and optionally
/// a private authority, which a browser must trust once.
record CertCommand(Terminal terminal) {
    private static final Option OUT = new Option("--out", "DIR", ".", "where cert.pem, key.pem go");
    private static final Option NAMES =
            new Option("--names", "A,B", "", "more host names, in addition to localhost");

    private static final Option DAYS =
            new Option(
                    "--days",
                    "N",
                    String.valueOf(LocalCertificate.DAYS_MAX),
                    "how long it is valid; to 397");
    private static final Option CA =
            new Option("--ca", "DIR", "", "your own authority, created if it is missing");

    private static final int AUTHORITY_DAYS = 3650;
    private static final String HOST_NAME =
            "(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?";

    Command command() {
        return new Command(
                "cert",
                "",
                "creates a certificate for localhost",
                List.of(
                        "It has an ECDSA key (P-256) and is self-signed, or with --ca signed by"
                                + " an",
                        "authority of yours: have your browser trust DIR/ca.pem, keep DIR",
                        "to yourself, and use it for all your local servers."),
                List.of(OUT, NAMES, DAYS, CA),
                this::run);
    }

    private void run(Arguments arguments) {
        String alternatives = alternatives(arguments);
        int days = days(arguments);
        Path out = folder(arguments, OUT);
        Path chain = out.resolve("cert.pem");
        Path key = out.resolve("key.pem");
        for (Path file : List.of(chain, key)) {
            if (Files.exists(file)) {
                throw exists(file);
            }
        }
        LocalCertificate.Signing signing =
                store -> {
                    if (!arguments.value(CA).isEmpty()) {
                        authority(folder(arguments, CA)).sign(store, days, alternatives);
                    }
                };
        try {
            LocalCertificate.make(out, days, alternatives, signing);
        } catch (FileAlreadyExistsException e) {
            throw exists(Path.of(e.getFile()));
        } catch (IOException | GeneralSecurityException e) {
            throw Failure.failed("cannot make a certificate: " + e.getMessage());
        }
        terminal.out().println("certificate: " + chain + "\nkey:         " + key);
    }

    private static Failure exists(Path file) {
        return Failure.failed(file + " exists already; --out DIR chooses another folder");
    }

    private KeyStoreFile authority(Path folder) throws IOException, GeneralSecurityException {
        var store = new KeyStoreFile(folder.resolve("ca.p12"));
        if (!Files.exists(store.file())) {
            store.make(
                    "CN=Tandem local authority",
                    AUTHORITY_DAYS,
                    List.of("bc:c=ca:true,pathlen:0", "ku:c=keyCertSign,cRLSign"));
            LocalCertificate.write(
                    folder.resolve("ca.pem"), LocalCertificate.chain(store), "rw-r--r--");
            terminal.out().println("authority:   " + folder.resolve("ca.pem"));
        }
        return store;
    }

    private static String alternatives(Arguments arguments) {
        var all = new StringBuilder(LocalCertificate.ALTERNATIVES);
        for (String name : arguments.value(NAMES).split(",")) {
            if (!name.isEmpty() && !name.matches(HOST_NAME)) {
                throw arguments.usageError("--names has '" + name + "', which is no host name");
            }
            if (!name.isEmpty()) {
                all.append(",dns:").append(name);
            }
        }
        return all.toString();
    }

    private static int days(Arguments arguments) {
        String value = arguments.value(DAYS);
        if (!value.matches("[1-9][0-9]{0,2}")
                || Integer.parseInt(value) > LocalCertificate.DAYS_MAX) {
            throw arguments.usageError(
                    "--days must be 1.." + LocalCertificate.DAYS_MAX + ", was '" + value + "'");
        }
        return Integer.parseInt(value);
    }

    private static Path folder(Arguments arguments, Option option) {
        String name = arguments.value(option);
        try {
            return Files.createDirectories(Path.of(name).toAbsolutePath().normalize());
        } catch (InvalidPathException | IOException e) {
            throw Failure.failed(option.name() + " " + name + " cannot be used: " + e.getMessage());
        }
    }
}
