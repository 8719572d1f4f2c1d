package dev.tandem.spring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// Certificates for tests, created by the JDK's keytool, and clients that trust all.
final class TestCertificate {
    private static final String PASSWORD = "for-tests";

    private TestCertificate() {}

    /// Creates another `chain.pem` with its `key.pem` in a folder.
    static void make(Path folder) throws Exception {
        Path store = Files.createTempFile(folder, "made", ".p12");
        Files.delete(store);
        String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process =
                new ProcessBuilder(
                                keytool,
                                "-genkeypair",
                                "-alias",
                                "web",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost,ip:127.0.0.1",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                PASSWORD,
                                "-keystore",
                                store.toString())
                        .redirectErrorStream(true)
                        .start();
        String bound = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(bound);
        }
        var made = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        // The key first: a change of the chain triggers reading both.
        put(
                folder,
                "key.pem",
                "PRIVATE KEY",
                made.getKey("web", PASSWORD.toCharArray()).getEncoded());
        put(folder, "chain.pem", "CERTIFICATE", made.getCertificate("web").getEncoded());
    }

    private static void put(Path folder, String name, String label, byte[] der) throws IOException {
        var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Path written =
                Files.writeString(
                        folder.resolve(name + ".new"),
                        "-----BEGIN "
                                + label
                                + "-----\n"
                                + lines
                                + "\n-----END "
                                + label
                                + "-----\n");
        Files.move(written, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    static SSLContext trustingAll() throws GeneralSecurityException {
        var context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustsAll()}, new SecureRandom());
        return context;
    }

    private static final class TrustsAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(
                X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkServerTrusted(
                X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkClientTrusted(
                X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

        @Override
        public void checkServerTrusted(
                X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
