package dev.tandem.engine;

import dev.tandem.tls.CertificateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A certificate for localhost with its key, made once by the JDK's keytool, and contexts that
/// trust it.
public final class TestCertificate {
    private static final String PASSWORD = "correct horse";

    static {
        // So that a stream which ends without close_notify is no end for a test's client.
        System.setProperty("com.sun.net.ssl.requireCloseNotify", "true");
    }

    private static final Path STORE = make();
    private static final SSLContext TRUST = context();

    private TestCertificate() {}

    public static CertificateFiles files() {
        return CertificateFiles.pkcs12(STORE, PASSWORD);
    }

    /// Trusts the certificate, and presents it where a client certificate is requested.
    public static SSLContext trust() {
        return TRUST;
    }

    /// The same, as a new client: it has no session to resume.
    static SSLContext freshTrust() {
        return context();
    }

    /// The certificate alone, in PEM form: for servers that request client certificates.
    public static Path pem(Path folder) throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance(STORE.toFile(), PASSWORD.toCharArray());
        byte[] der = store.getCertificate("localhost").getEncoded();
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        String text = "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
        return Files.writeString(folder.resolve("localhost.pem"), text);
    }

    private static Path make() {
        try {
            Path folder = Files.createTempDirectory("server-certificate");
            Path store = folder.resolve("localhost.p12");
            Process keytool =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "keytool")
                                            .toString(),
                                    "-genkeypair",
                                    "-alias",
                                    "localhost",
                                    "-keyalg",
                                    "EC",
                                    "-groupname",
                                    "secp256r1",
                                    "-dname",
                                    "CN=localhost",
                                    "-ext",
                                    "san=dns:localhost,ip:127.0.0.1",
                                    "-validity",
                                    "300",
                                    "-storetype",
                                    "PKCS12",
                                    "-storepass",
                                    PASSWORD,
                                    "-keystore",
                                    store.toString())
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
                throw new IOException("keytool made no certificate");
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(store)));
            return store;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void delete(Path store) {
        try {
            Files.delete(store);
            Files.delete(store.toAbsolutePath().getParent());
        } catch (IOException e) {
            // It is in the folder for temporary files.
        }
    }

    private static SSLContext context() {
        try (InputStream in = Files.newInputStream(STORE)) {
            var store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            var trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("localhost", store.getCertificate("localhost"));
            var trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(trusted);
            var keys = KeyManagerFactory.getInstance("PKIX");
            keys.init(store, PASSWORD.toCharArray());
            var context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
