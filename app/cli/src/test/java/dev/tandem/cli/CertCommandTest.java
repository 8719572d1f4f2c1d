package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CertCommandTest {
    private final Path folder;

    CertCommandTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private TestConsole cert(int status, String... more) {
        var console = TestConsole.plain();
        var words = new ArrayList<>(List.of("cert", "--out", folder.toString()));
        words.addAll(List.of(more));
        assertEquals(status, console.execute(words.toArray(String[]::new)), console.err());
        return console;
    }

    private List<X509Certificate> chain(Path file) throws Exception {
        var in = new ByteArrayInputStream(Files.readAllBytes(file));
        return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                .map(X509Certificate.class::cast)
                .toList();
    }

    @Test
    void certificateAndPrivateKeyMatch() throws Exception {
        TestConsole console = cert(0, "--names", "a.test,*.b.test");
        Path key = folder.resolve("key.pem");
        assertTrue(console.out().contains("key:         " + key), console.out());
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(key)));
        X509Certificate certificate = chain(folder.resolve("cert.pem")).getFirst();
        var names = certificate.getSubjectAlternativeNames().stream().map(n -> n.get(1)).toList();
        assertEquals(
                List.of("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1", "a.test", "*.b.test"), names);
        Instant end = certificate.getNotAfter().toInstant();
        assertTrue(Duration.between(Instant.now(), end).toDays() <= 397);
        assertTrue(isPair(key, certificate));
    }

    private static boolean isPair(Path keyFile, X509Certificate certificate) throws Exception {
        String text = Files.readString(keyFile, StandardCharsets.US_ASCII);
        byte[] der = Base64.getMimeDecoder().decode(text.replaceAll("-----.*-----", ""));
        var signer = Signature.getInstance("SHA256withECDSA");
        signer.initSign(KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der)));
        byte[] signature = signer.sign();
        signer.initVerify(certificate);
        return signer.verify(signature);
    }

    @Test
    void localAuthoritySignsCertificates() throws Exception {
        Path authority = folder.resolve("authority");
        cert(0, "--ca", authority.toString(), "--days", "10");
        X509Certificate root = chain(authority.resolve("ca.pem")).getFirst();
        byte[] previous = Files.readAllBytes(authority.resolve("ca.pem"));
        assertEquals(0, root.getBasicConstraints());
        List<X509Certificate> chain = chain(folder.resolve("cert.pem"));
        chain.getFirst().verify(root.getPublicKey());
        assertTrue(chain.getFirst().getSubjectAlternativeNames().size() == 3);
        assertThrows(SignatureException.class, () -> root.verify(chain.getFirst().getPublicKey()));
        Files.delete(folder.resolve("cert.pem"));
        Files.delete(folder.resolve("key.pem"));
        cert(0, "--ca", authority.toString());
        assertEquals(
                -1, Arrays.mismatch(previous, Files.readAllBytes(authority.resolve("ca.pem"))));
        chain(folder.resolve("cert.pem")).getFirst().verify(root.getPublicKey());
    }

    @Test
    void keyOfTheAuthorityIsAtNoTimeReadableByOthers() throws Exception {
        Path authority = Files.createDirectory(folder.resolve("authority"));
        Path store = authority.resolve("ca.p12");
        Set<String> modes = ConcurrentHashMap.newKeySet();
        Thread watch = Thread.ofPlatform().daemon().start(() -> watchMode(store, modes));
        cert(0, "--ca", authority.toString());
        watch.interrupt();
        watch.join();
        modes.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(store)));
        assertEquals(Set.of("rw-------"), modes);
        try (var files = Files.list(authority)) {
            assertEquals(2, files.count(), "what was temporary is deleted");
        }
    }

    private static void watchMode(Path file, Set<String> modes) {
        while (!Thread.interrupted()) {
            try {
                modes.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            } catch (IOException e) {
                Thread.onSpinWait(); // it is not there yet
            }
        }
    }

    @Test
    void existingFilesAreKept() throws Exception {
        Files.writeString(folder.resolve("key.pem"), "mine");
        TestConsole console = cert(1);
        assertEquals(
                "tandem: "
                        + folder.resolve("key.pem")
                        + " exists already; --out DIR chooses another folder\n",
                console.err());
        assertEquals("mine", Files.readString(folder.resolve("key.pem")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --days  | 398   | --days must be 1..397, was '398'; see tandem cert --help
                    --days  | x     | --days must be 1..397, was 'x'; see tandem cert --help
                    --names | a,b/c | --names has 'b/c', which is no host name; see tandem cert --help
                    """)
    void usageErrorIsNamed(String option, String value, String message) {
        assertEquals("tandem: " + message + "\n", cert(2, option, value).err());
    }
}
