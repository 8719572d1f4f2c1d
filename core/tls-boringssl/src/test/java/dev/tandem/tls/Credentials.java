package dev.tandem.tls;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/// Keys and certificates in all formats, created once by openssl in a directory that is deleted
/// after the tests.
final class Credentials {
    static final String PASSWORD = "correct horse";

    private static final int PATIENCE_SECONDS = 60;

    /// NAME.pem, NAME.key: `ec` (localhost), `rsa` (localhost), `wild` (*.example.test, RSA),
    /// `other` (other.test, P-384), `large` (localhost, P-521), `client` (signed by `ca`),
    /// `stranger` (signed by itself), `short` (localhost, for ten days), `shortly`
    /// (a.example.test, for ten days).
    private static final String SCRIPT =
            """
            set -e
            ec() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:$2 -out $1.key; }
            rsa() { openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out $1.key; }
            own() { openssl req -new -x509 -key $1.key -days 300 -subj /CN=$1 -out $1.pem \
                -addext subjectAltName=$2; }
            ec ec P-256;     own ec DNS:localhost,IP:127.0.0.1
            rsa rsa;         own rsa DNS:localhost
            rsa wild;        own wild 'DNS:*.example.test'
            ec other P-384;  own other DNS:Other.test
            ec large P-521;  own large DNS:localhost
            ec ca P-256;     openssl req -new -x509 -key ca.key -days 300 -subj /CN=ca -out ca.pem
            ec client P-256; openssl req -new -key client.key -subj /CN=client -out client.csr
            openssl x509 -req -in client.csr -CA ca.pem -CAkey ca.key -set_serial 7 -days 300 \
                -out client.pem
            ec stranger P-256; own stranger DNS:stranger
            ec short P-256;  openssl req -new -x509 -key short.key -days 10 -subj /CN=short \
                -addext subjectAltName=DNS:localhost -out short.pem
            ec shortly P-256; openssl req -new -x509 -key shortly.key -days 10 -subj /CN=shortly \
                -addext subjectAltName=DNS:a.example.test -out shortly.pem
            openssl ec -in ec.key -out ec-sec1.key
            openssl rsa -in rsa.key -traditional -out rsa-pkcs1.key
            openssl pkcs8 -topk8 -in ec.key -passout "pass:$PASSWORD" -out ec-encrypted.key
            openssl rsa -in rsa.key -traditional -aes128 -passout "pass:$PASSWORD" -out rsa-old.key
            openssl pkcs12 -export -in rsa.pem -inkey rsa.key -passout "pass:$PASSWORD" -out rsa.p12
            openssl pkcs12 -export -in ca.pem -nokeys -passout "pass:$PASSWORD" -out nokey.p12
            openssl pkcs12 -export -in client.pem -inkey client.key -passout "pass:$PASSWORD" \
                -out client.p12
            openssl ecparam -name secp256k1 -genkey -noout -param_enc explicit -out explicit.key
            printf 'V\\t400101000000Z\\t\\t07\\tunknown\\t/CN=client\\n' > index.txt
            openssl ocsp -index index.txt -CA ca.pem -rsigner ca.pem -rkey ca.key -issuer ca.pem \
                -serial 7 -ndays 30 -no_nonce -respout ocsp.der
            """;

    /// Created on first use, if openssl is available.
    private static final class Made {
        private static final Path FOLDER = make();
    }

    private Credentials() {}

    /// Skips the test if openssl is not available.
    static Path file(String name) {
        assumeHere("openssl");
        return Made.FOLDER.resolve(name);
    }

    static void assumeHere(String tool) {
        boolean isHere =
                Arrays.stream(System.getenv("PATH").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
        assumeTrue(isHere, "skipped: needs " + tool);
    }

    static CertificateFiles pem(String name) {
        return CertificateFiles.pem(file(name + ".pem"), file(name + ".key"));
    }

    private static Path make() {
        try {
            Path folder = Files.createTempDirectory("tls-credentials");
            var builder = new ProcessBuilder("sh", "-c", SCRIPT).directory(folder.toFile());
            builder.environment().put("PASSWORD", PASSWORD);
            Path log = folder.resolve("log");
            Process process =
                    builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("openssl failed: " + Files.readString(log));
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void delete(Path folder) {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            // It is in the directory for temporary files.
        }
    }
}
