package dev.tandem.tomcat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A JKS file with a self-signed certificate, created by the JDK's keytool, and clients that trust
/// it.
enum TestKeyStore {
    FIRST,
    SECOND;

    static final String PASSWORD = "changeit";

    private final Path path = make(name().toLowerCase(java.util.Locale.ROOT));

    Path path() {
        return path;
    }

    KeyStore open() throws GeneralSecurityException, IOException {
        return KeyStore.getInstance(path.toFile(), PASSWORD.toCharArray());
    }

    /// Returns a client without a certificate.
    SSLContext anonymousClient() {
        return client(false);
    }

    /// Returns a client that presents this certificate on request.
    SSLContext authenticatedClient() {
        return client(true);
    }

    private SSLContext client(boolean isKnown) {
        try {
            KeyStore store = open();
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    isKnown ? keys.getKeyManagers() : new KeyManager[0],
                    trust.getTrustManagers(),
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path make(String name) {
        try {
            Path folder = Files.createTempDirectory("tomcat-certificate");
            folder.toFile().deleteOnExit();
            Path store = folder.resolve(name + ".jks");
            store.toFile().deleteOnExit();
            String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
            Process process =
                    new ProcessBuilder(
                                    keytool,
                                    "-genkeypair",
                                    "-alias",
                                    name,
                                    "-keyalg",
                                    "EC",
                                    "-storetype",
                                    "JKS",
                                    "-dname",
                                    "CN=" + name,
                                    "-validity",
                                    "30",
                                    "-ext",
                                    "san=ip:127.0.0.1",
                                    "-keystore",
                                    store.toString(),
                                    "-storepass",
                                    PASSWORD,
                                    "-keypass",
                                    PASSWORD)
                            .redirectErrorStream(true)
                            .redirectOutput(folder.resolve("log").toFile())
                            .start();
            folder.resolve("log").toFile().deleteOnExit();
            if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(Files.readString(folder.resolve("log")));
            }
            return store;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
