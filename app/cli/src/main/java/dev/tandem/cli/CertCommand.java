package dev.tandem.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;

/// `tandem cert`: a certificate for a server on this machine, with its key, and if wanted an
/// authority of one's own that a browser is told of once.
///
/// The JDK makes certificates only in its keytool, so that is run as another process.
record CertCommand(Terminal terminal) {
    private static final Option OUT = new Option("--out", "DIR", ".", "where cert.pem, key.pem go");
    private static final Option NAMES =
            new Option("--names", "A,B", "", "more host names, beside localhost");

    /// Browsers refuse certificates of servers that are valid for longer.
    private static final int DAYS_MAX = 397;

    private static final Option DAYS =
            new Option("--days", "N", String.valueOf(DAYS_MAX), "how long it is valid; to 397");
    private static final Option CA =
            new Option("--ca", "DIR", "", "your own authority, made if it is not there");

    private static final int AUTHORITY_DAYS = 3650;
    private static final String ALWAYS = "san=dns:localhost,ip:127.0.0.1,ip:::1";
    private static final String HOST_NAME =
            "(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?";

    Command command() {
        return new Command(
                "cert",
                "",
                "makes a certificate for localhost",
                List.of(
                        "It has an ECDSA key (P-256) and signs itself, or with --ca is signed by"
                                + " an",
                        "authority of yours: tell your browser once to trust DIR/ca.pem, keep DIR",
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
        Signing signing =
                store -> {
                    if (!arguments.value(CA).isEmpty()) {
                        authority(folder(arguments, CA)).sign(store, days, alternatives);
                    }
                };
        try {
            make(out, days, alternatives, signing);
        } catch (FileAlreadyExistsException e) {
            throw exists(Path.of(e.getFile()));
        } catch (IOException | GeneralSecurityException e) {
            throw Failure.failed("cannot make a certificate: " + e.getMessage());
        }
        terminal.out().println("certificate: " + chain + "\nkey:         " + key);
    }

    /// What becomes of a certificate that has signed itself.
    @FunctionalInterface
    private interface Signing {
        void sign(KeyStoreFile store) throws IOException, GeneralSecurityException;
    }

    /// Leaves `cert.pem` and `key.pem` in a folder: for localhost, signed by itself.
    static void makeIn(Path folder) throws IOException, GeneralSecurityException {
        make(folder, DAYS_MAX, ALWAYS, _ -> {});
    }

    private static void make(Path out, int days, String alternatives, Signing signing)
            throws IOException, GeneralSecurityException {
        Path folder = Files.createTempDirectory("tandem-cert");
        var store = new KeyStoreFile(folder.resolve("store.p12"));
        try {
            store.make("CN=localhost", days, List.of(alternatives, "eku=serverAuth"));
            signing.sign(store);
            write(
                    out.resolve("key.pem"),
                    pem("PRIVATE KEY", store.key().getEncoded()),
                    "rw-------");
            write(out.resolve("cert.pem"), chain(store), "rw-r--r--");
        } finally {
            Files.deleteIfExists(store.file());
            Files.delete(folder);
        }
    }

    private static Failure exists(Path file) {
        return Failure.failed(file + " is there already; --out DIR chooses another folder");
    }

    private KeyStoreFile authority(Path folder) throws IOException, GeneralSecurityException {
        var store = new KeyStoreFile(folder.resolve("ca.p12"));
        if (!Files.exists(store.file())) {
            store.make(
                    "CN=Tandem local authority",
                    AUTHORITY_DAYS,
                    List.of("bc:c=ca:true,pathlen:0", "ku:c=keyCertSign,cRLSign"));
            write(folder.resolve("ca.pem"), chain(store), "rw-r--r--");
            terminal.out().println("authority:   " + folder.resolve("ca.pem"));
        }
        return store;
    }

    private static String alternatives(Arguments arguments) {
        var all = new StringBuilder(ALWAYS);
        for (String name : arguments.value(NAMES).split(",")) {
            if (!name.isEmpty() && !name.matches(HOST_NAME)) {
                throw arguments.wrong("--names has '" + name + "', which is no host name");
            }
            if (!name.isEmpty()) {
                all.append(",dns:").append(name);
            }
        }
        return all.toString();
    }

    private static int days(Arguments arguments) {
        String value = arguments.value(DAYS);
        if (!value.matches("[1-9][0-9]{0,2}") || Integer.parseInt(value) > DAYS_MAX) {
            throw arguments.wrong("--days must be 1.." + DAYS_MAX + ", was '" + value + "'");
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

    private static String chain(KeyStoreFile store) throws IOException, GeneralSecurityException {
        var text = new StringBuilder();
        for (var certificate : store.chain()) {
            text.append(pem("CERTIFICATE", certificate.getEncoded()));
        }
        return text.toString();
    }

    private static String pem(String label, byte[] der) {
        var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
    }

    /// With its mode from the first: a key that others could read for a moment is no secret.
    private static void write(Path file, String text, String mode) throws IOException {
        Files.createFile(
                file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)));
        Files.writeString(file, text, StandardCharsets.US_ASCII);
    }
}
