package dev.tandem.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.tls.TlsConfigException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.shredzone.acme4j.util.CertificateUtils;
import org.shredzone.acme4j.util.KeyPairUtils;

/// Certificates that are stored, and not valid at the start. There is no authority: each order
/// fails.
@Timeout(60)
class StoredCertificateTest {
    private static final String NAME = "www.example.org";
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant EXPIRY = BEGIN.plus(Duration.ofDays(90));
    private static final URI NOWHERE = URI.create("http://127.0.0.1:1/no-authority");

    private static final String IN_USE = "what the authority issued is in use now";

    private final Path folder;
    private final AtomicReference<Instant> now = new AtomicReference<>(BEGIN);
    private final AtomicInteger changes = new AtomicInteger();

    StoredCertificateTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private static Storage store(AcmeSettings settings) throws Exception {
        KeyPair key = KeyPairUtils.createKeyPair(2048);
        X509Certificate certificate =
                CertificateUtils.createTestRootCertificate("CN=" + NAME, BEGIN, EXPIRY, key);
        var storage = new Storage(settings.storage(), settings.directory());
        storage.store(new HeldCertificate(NAME, List.of(certificate), key.getPrivate()));
        return storage;
    }

    /// Stores a certificate, and opens what renews it.
    private Renewer renewer(AcmeSettings settings) throws Exception {
        Storage storage = store(settings);
        var authority = new Authority(settings, storage, new Proofs(), () -> {});
        return new Renewer(settings, now::get, storage, authority, changes::incrementAndGet);
    }

    /// As where the clock is set after the boot: each start would order another one, until the
    /// authority refuses.
    @Test
    void oneThatIsNotValidYetIsUsedOnceItIs() throws Exception {
        now.set(BEGIN.minus(Duration.ofDays(1)));
        Renewer renewer = renewer(AcmeSettings.of(folder, NAME).withDirectory(NOWHERE));
        assertEquals("placeholder", renewer.held().getFirst().name());
        renewer.step();
        assertEquals(0, changes.get());
        now.set(BEGIN.plus(Duration.ofDays(1)));
        renewer.step();
        assertEquals(1, changes.get());
        assertEquals(NAME, renewer.held().getFirst().name());
        renewer.step();
        assertEquals(1, changes.get(), "the server knows it");
        assertEquals(0, renewer.failures());
    }

    /// Its name may be another's by now.
    @Test
    void expiredOneOnDemandIsNotReplacedWithoutPermission() throws Exception {
        now.set(EXPIRY.plus(Duration.ofDays(1)));
        try (Server site =
                Tandem.listen("127.0.0.1", 0)
                        .get("/allowed", x -> x.status(403).send(""))
                        .start()) {
            URI permission = URI.create("http://127.0.0.1:" + site.port() + "/allowed");
            AcmeSettings settings =
                    AcmeSettings.of(folder).withDirectory(NOWHERE).withPermission(permission);
            Renewer renewer = renewer(settings);
            renewer.step();
            assertFalse(renewer.isManaged(NAME));
            assertEquals(0, renewer.failures());
        }
    }

    /// As where another certificate of the server cannot be read: what the authority issued was
    /// shown by the next reload only.
    @Test
    void oneThatTheServerCannotUseIsShownOnceItCan() throws Exception {
        now.set(BEGIN.plus(Duration.ofDays(1)));
        AcmeSettings settings = AcmeSettings.of(folder, NAME).withDirectory(NOWHERE);
        store(settings);
        var isBroken = new AtomicBoolean(true);
        try (var log = LogCapture.of("dev.tandem.acme").withInformation();
                var acme = AcmeCertificates.open(settings, now::get)) {
            acme.start(() -> reload(acme, isBroken.get()));
            Patience.until("a reload that fails", () -> changes.get() == 1);
            now.set(BEGIN.plus(Duration.ofDays(1)).plusSeconds(60));
            acme.wake();
            Patience.until("another one", () -> changes.get() == 2);
            isBroken.set(false);
            reload(acme, false); // from outside: whether all was loaded is not known
            now.set(BEGIN.plus(Duration.ofDays(1)).plusSeconds(180));
            acme.wake();
            Patience.until("one that succeeds", () -> changes.get() == 4);
            List<String> lines = log.messages(each -> each.endsWith("other.pem: cannot be read"));
            assertEquals(1, lines.size(), log.lines()::toString);
            Patience.until("a line of it", () -> !log.messages(IN_USE::equals).isEmpty());
        }
    }

    /// As the server, which asks for all certificates before it uses any.
    private void reload(AcmeCertificates acme, boolean isBroken) throws TlsConfigException {
        assertEquals(1, acme.certificates().size());
        changes.incrementAndGet();
        if (isBroken) {
            throw TlsConfigException.of(Path.of("other.pem"), "cannot be read", new IOException());
        }
    }
}
