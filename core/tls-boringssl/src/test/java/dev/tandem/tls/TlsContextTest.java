package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TlsContextTest {
    private static final InstantSource TOMORROW =
            InstantSource.fixed(Instant.now().plus(Duration.ofDays(1)));

    private final Path folder;

    TlsContextTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private static TlsSettings jdk(CertificateFiles... files) {
        return TlsSettings.of(files).withEngine(EngineChoice.JDK);
    }

    private static String rejection(TlsSettings settings, InstantSource time) {
        var e = assertThrows(TlsConfigException.class, () -> TlsContext.open(settings, time));
        return String.valueOf(e.getMessage()).replace(Credentials.file("x").getParent() + "/", "");
    }

    private static CertificateFiles pem(String chain, String key) {
        return CertificateFiles.pem(Credentials.file(chain), Credentials.file(key));
    }

    @ParameterizedTest
    @CsvSource({"ec.pem, ec-sec1.key", "rsa.pem, rsa-pkcs1.key", "other.pem, other.key"})
    void allKeyFormatsAreRead(String chain, String key) throws Exception {
        for (EngineChoice engine : EngineChoice.values()) {
            TlsContext.open(TlsSettings.of(pem(chain, key)).withEngine(engine), TOMORROW);
        }
    }

    @Test
    void encryptedKeysAreRead() throws Exception {
        CertificateFiles files = pem("ec.pem", "ec-encrypted.key");
        TlsContext.open(jdk(files.withPassword(Credentials.PASSWORD)), TOMORROW);
        assertEquals(
                "ec-encrypted.key: its key cannot be used: the password is wrong",
                rejection(jdk(files.withPassword("other")), TOMORROW));
        assertEquals(
                "ec-encrypted.key: its key cannot be used: it is encrypted and no password is"
                        + " given",
                rejection(jdk(files), TOMORROW));
    }

    @Test
    void certificatesOfSourceAreRead() throws Exception {
        Path file = Credentials.file("rsa.p12");
        char[] password = Credentials.PASSWORD.toCharArray();
        CertificateFiles.Source source =
                () -> {
                    KeyStore store = KeyStore.getInstance(file.toFile(), password);
                    String alias = store.aliases().nextElement();
                    return (KeyStore.PrivateKeyEntry)
                            store.getEntry(alias, new KeyStore.PasswordProtection(password));
                };
        TlsContext.open(jdk(CertificateFiles.of(Path.of("a store"), source)), TOMORROW);
        CertificateFiles.Source none =
                () -> {
                    throw new IOException("is locked");
                };
        assertEquals(
                "a store: cannot be used: is locked",
                rejection(jdk(CertificateFiles.of(Path.of("a store"), none)), TOMORROW));
    }

    @Test
    void pkcs12FilesAreRead() throws Exception {
        Path file = Credentials.file("rsa.p12");
        TlsContext.open(jdk(CertificateFiles.pkcs12(file, Credentials.PASSWORD)), TOMORROW);
        assertEquals(
                "rsa.p12: the password is wrong",
                rejection(jdk(CertificateFiles.pkcs12(file, "other")), TOMORROW));
        Path bare = Credentials.file("nokey.p12");
        assertEquals(
                "nokey.p12: has no private key",
                rejection(jdk(CertificateFiles.pkcs12(bare, Credentials.PASSWORD)), TOMORROW));
        Path none = Credentials.file("ec.pem");
        assertTrue(
                rejection(jdk(CertificateFiles.pkcs12(none, "")), TOMORROW)
                        .startsWith("ec.pem: is not a readable PKCS#12 file"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    none.pem   | ec.key       | none.pem: no such file
                    ec.pem     | none.key     | none.key: no such file
                    ec.key     | ec.key       | ec.key: has no certificate: there is no line -----BEGIN CERTIFICATE-----
                    ec.pem     | ec.pem       | ec.pem: has no key: there is no line -----BEGIN PRIVATE KEY-----
                    ec.pem     | rsa.key      | rsa.key: the key does not match the certificate in ec.pem
                    ec.pem     | client.key   | client.key: the key does not match the certificate in ec.pem
                    rsa.pem    | rsa-old.key  | rsa-old.key: its key cannot be used: it is encrypted in OpenSSL's old format; convert it with openssl pkcs8 -topk8
                    ec.pem     | explicit.key | explicit.key: its key cannot be used: it is malformed
                    """)
    void exceptionNamesUnusableFile(String chain, String key, String message) {
        assertEquals(message, rejection(jdk(pem(chain, key)), TOMORROW));
    }

    private static List<String> invalid(InstantSource time) throws Exception {
        return TlsContext.open(jdk(Credentials.pem("ec")), time).invalidCertificates();
    }

    @Test
    void certificatesThatClientsRejectAreReported() throws Exception {
        String file = Credentials.file("ec.pem").toString();
        var late = InstantSource.fixed(Instant.now().plus(Duration.ofDays(301)));
        assertTrue(invalid(late).getFirst().startsWith(file + ": the certificate expired at 20"));
        var early = InstantSource.fixed(Instant.now().minus(Duration.ofDays(1)));
        assertTrue(
                invalid(early)
                        .getFirst()
                        .startsWith(file + ": the certificate is not valid before 20"));
        assertEquals(List.of(), invalid(TOMORROW));
    }

    private static List<CertificateFiles> inUse(TlsContext context) {
        return context.current().all().stream().map(served -> served.identity().files()).toList();
    }

    /// The valid one has the name, and is the first for clients that send none.
    @Test
    void expiredCertificateKeepsNoOthersFromReload() throws Exception {
        CertificateFiles expired = Credentials.pem("short");
        CertificateFiles valid = Credentials.pem("ec");
        var now = new AtomicReference<>(Instant.now().plus(Duration.ofDays(1)));
        TlsContext context = TlsContext.open(jdk(expired, valid), now::get);
        assertEquals(List.of(expired, valid), inUse(context));
        now.set(Instant.now().plus(Duration.ofDays(20)));
        context.reload();
        assertEquals(List.of(valid, expired), inUse(context));
        assertEquals(1, context.invalidCertificates().size());
    }

    /// @param hello the name in the ClientHello of a client that accepts all kinds of keys
    private static CertificateFiles chosen(TlsContext context, String hello) {
        var any = new ClientHello(hello, List.of(), true, true, false, false, false, 7);
        return Objects.requireNonNull(context.current().choose(any)).identity().files();
    }

    /// Of another kind of key, which is preferred otherwise.
    @Test
    void expiredCertificateIsNotChosenWhereAValidOneHasTheName() throws Exception {
        CertificateFiles expired = Credentials.pem("short");
        CertificateFiles valid = Credentials.pem("rsa");
        var now = new AtomicReference<>(Instant.now().plus(Duration.ofDays(1)));
        TlsContext context = TlsContext.open(jdk(valid, expired), now::get);
        assertEquals(expired, chosen(context, "localhost"), "ECDSA is preferred");
        now.set(Instant.now().plus(Duration.ofDays(20)));
        context.reload();
        for (String name : List.of("localhost", "", "unknown.test")) {
            assertEquals(valid, chosen(context, name), name);
        }
    }

    /// As is left after the change to a wildcard.
    @Test
    void expiredCertificateIsNotChosenWhereAValidWildcardHasTheName() throws Exception {
        CertificateFiles expired = Credentials.pem("shortly");
        CertificateFiles valid = Credentials.pem("wild");
        var now = new AtomicReference<>(Instant.now().plus(Duration.ofDays(1)));
        TlsContext context = TlsContext.open(jdk(expired, valid), now::get);
        assertEquals(expired, chosen(context, "a.example.test"));
        now.set(Instant.now().plus(Duration.ofDays(20)));
        context.reload();
        assertEquals(valid, chosen(context, "a.example.test"));
        assertEquals(valid, chosen(context, "b.example.test"));
    }

    @Test
    void expiredCertificateIsChosenWhereNoOtherHasTheName() throws Exception {
        CertificateFiles expired = Credentials.pem("shortly");
        CertificateFiles valid = Credentials.pem("ec");
        var late = InstantSource.fixed(Instant.now().plus(Duration.ofDays(20)));
        TlsContext context = TlsContext.open(jdk(expired, valid), late);
        assertEquals(expired, chosen(context, "a.example.test"));
        assertEquals(valid, chosen(context, "b.example.test"));
    }

    @Test
    void exceptionNamesMalformedCertificateAndChainOutOfOrder() throws Exception {
        Path broken = folder.resolve("broken.pem");
        Files.writeString(broken, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        Path key = Credentials.file("ec.key");
        assertTrue(
                rejection(jdk(CertificateFiles.pem(broken, key)), TOMORROW)
                        .contains("broken.pem: certificate 1 is malformed"));
        Path mixed = folder.resolve("mixed.pem");
        Files.writeString(
                mixed,
                Files.readString(Credentials.file("ec.pem"))
                        + Files.readString(Credentials.file("rsa.pem")));
        assertTrue(
                rejection(jdk(CertificateFiles.pem(mixed, key)), TOMORROW)
                        .endsWith(
                                "certificate 2 did not issue the one before it; put them in"
                                        + " order"));
    }

    @Test
    void failedReloadChangesNothing() throws Exception {
        Path chain = folder.resolve("chain.pem");
        Path key = folder.resolve("key.pem");
        Files.copy(Credentials.file("ec.pem"), chain);
        Files.copy(Credentials.file("ec.key"), key);
        TlsContext context = TlsContext.open(jdk(CertificateFiles.pem(chain, key)), TOMORROW);
        LoadedCertificates before = context.current();
        Files.delete(key);
        assertThrows(TlsConfigException.class, context::reload);
        assertEquals(before, context.current());
        Files.copy(Credentials.file("ec.key"), key);
        context.reload();
        assertTrue(before != context.current());
    }

    @Test
    void preparedReloadChangesNothingUntilItIsApplied() throws Exception {
        TlsSettings settings = jdk(Credentials.pem("ec"));
        TlsContext context = TlsContext.open(settings, TOMORROW);
        LoadedCertificates before = context.current();
        TlsSettings strict = settings.withUnknownNamesRejected(true);
        try (TlsContext.Reload _ = context.prepare(strict)) {
            assertSame(before, context.current());
        }
        assertSame(before, context.current());
        try (TlsContext.Reload next = context.prepare(strict)) {
            next.apply();
            assertNotSame(before, context.current());
        }
        assertEquals(strict, context.settings());
    }

    /// A worker does it each minute: workers would wait for a reload that lasts.
    @Test
    void ticketKeysAreNotRefreshedWhileAReloadIsPrepared() throws Exception {
        TlsSettings settings = jdk(Credentials.pem("ec"));
        TlsContext context = TlsContext.open(settings, TOMORROW);
        var refresh =
                new FutureTask<Void>(
                        () -> {
                            context.refresh();
                            return null;
                        });
        try (TlsContext.Reload next = context.prepare(settings)) {
            Thread.ofPlatform().daemon().start(refresh);
            refresh.get(20, TimeUnit.SECONDS);
            next.apply();
        }
        context.refresh();
    }

    /// It is used from the next start on.
    @Test
    void otherEngineOfAReloadIsNotUsed() throws Exception {
        TlsSettings settings = jdk(Credentials.pem("ec"));
        TlsContext context = TlsContext.open(settings, TOMORROW);
        String name = context.engineName();
        context.reload(settings.withEngine(EngineChoice.BORINGSSL));
        assertEquals(name, context.engineName());
    }

    @Test
    void unsupportedSettingsOfJdkEngineAreReported() throws Exception {
        var files = Credentials.pem("client").withOcsp(Credentials.file("ocsp.der"));
        TlsSettings settings = jdk(files).withTicketKeys(folder.resolve("keys"));
        assertEquals(2, TlsContext.open(settings, TOMORROW).unsupportedSettings().size());
        TlsContext boring = TlsContext.open(settings.withEngine(EngineChoice.BORINGSSL), TOMORROW);
        assertEquals(List.of(), boring.unsupportedSettings());
        assertEquals("BoringSSL", boring.engineName());
    }

    @Test
    void boringSslIsPreferredWhereInstalled() throws Exception {
        TlsSettings settings = TlsSettings.of(Credentials.pem("ec"));
        assertEquals("BoringSSL", TlsContext.open(settings, TOMORROW).engineName());
    }

    @Test
    void invalidSettingsThrow() {
        TlsSettings settings = jdk(Credentials.pem("ec"));
        assertThrows(IllegalArgumentException.class, () -> jdk());
        assertThrows(IllegalArgumentException.class, () -> settings.withVersions(Set.of()));
        assertThrows(
                IllegalArgumentException.class,
                () -> settings.withApplicationProtocols(List.of("a b")));
    }
}
