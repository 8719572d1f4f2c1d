package dev.tandem.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.testkit.LogCapture;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.shredzone.acme4j.Identifier;
import org.shredzone.acme4j.util.CertificateUtils;
import org.shredzone.acme4j.util.KeyPairUtils;

/// An authority whose responses have the form of RFC 8555, and are wrong or without sense. It has
/// nothing proved, and verifies no signature.
@Timeout(120)
class LyingAuthorityTest {
    private static final String NAME = "www.example.org";

    /// Of an hour.
    private static final int MINUTES = 60;

    private static final String READY = "\"ready\"";
    private static final String VALID = "\"valid\"";
    private static final String INVALID = "\"invalid\"";
    private static final Pattern PAYLOAD = Pattern.compile("\"payload\":\"([^\"]*)\"");
    private static final Pattern CSR = Pattern.compile("\"csr\":\"([^\"]*)\"");
    private static final Pattern ORDERED = Pattern.compile("\"value\":\"([^\"]*)\"");

    /// Made once: keys of RSA take time.
    private static final KeyPair ISSUER = KeyPairUtils.createKeyPair(2048);

    private final Path folder;
    private final AtomicInteger polls = new AtomicInteger();
    private final AtomicInteger accounts = new AtomicInteger();
    private final AtomicInteger renewals = new AtomicInteger();
    private final AtomicInteger orderRequests = new AtomicInteger();
    private Server server;

    /// Makes the certificate that is issued.
    private Issuer issued = this::sign;

    /// What follows it in the chain.
    private List<X509Certificate> behind = List.of();

    /// The state of an order for a name, and what follows it in the response.
    private State state = (_, isFinalized) -> isFinalized ? VALID : READY;

    /// What follows the JSON of an order, and the chain.
    private String behindOrder = "";

    private String behindChain = "";

    /// Whether orders are compressed, though that was not requested.
    private boolean isCompressed;

    /// Of an authority that accepts no orders now; 0 for one that does.
    private int busyStatus;

    private String retryAfter = "";

    /// When it wants a renewal.
    private String renewalYear = "2020";

    /// Returns the kind of error by which an order is refused; empty for none.
    private UnaryOperator<String> refused = _ -> "";

    /// The name of the last order.
    private volatile String ordered = "";

    private InstantSource clock = InstantSource.system();
    private volatile byte[] csr = {};
    private volatile boolean isFinalized;

    private interface Issuer {
        X509Certificate issue(byte[] csr) throws Exception;
    }

    private interface State {
        String of(String name, boolean isFinalized);
    }

    LyingAuthorityTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void start() throws Exception {
        Handler nonce = x -> reply(x, 200, "");
        server =
                Tandem.listen("127.0.0.1", 0)
                        .route("GET", "/dir", this::directory)
                        .route("HEAD", "/nonce", nonce)
                        .route("GET", "/nonce", nonce)
                        .route("POST", "/account", this::account)
                        .route("POST", "/order", this::order)
                        .route("POST", "/order/1", this::poll)
                        .route("POST", "/finalize", this::finalizeOrder)
                        .route("POST", "/certificate", this::certificate)
                        .route("GET", "/renewal/{id}", this::renewal)
                        .route("GET", "/allowed", x -> x.send("yes"))
                        .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    private static void reply(Exchange x, int status, String json) throws Exception {
        x.header("Replay-Nonce", "bm9uY2U");
        x.status(status).contentType("application/json").send(json);
    }

    private void directory(Exchange x) throws Exception {
        reply(
                x,
                200,
                """
                {"newNonce": "%s", "newAccount": "%s", "newOrder": "%s",
                 "revokeCert": "%s", "keyChange": "%s", "renewalInfo": "%s"}
                """
                        .formatted(
                                url("/nonce"),
                                url("/account"),
                                url("/order"),
                                url("/revoke"),
                                url("/key"),
                                url("/renewal")));
    }

    private void account(Exchange x) throws Exception {
        accounts.incrementAndGet();
        x.header("Location", url("/account/1"));
        reply(x, 201, "{\"status\": \"valid\"}");
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text.replace(" ", ""));
        assertTrue(matcher.find(), text);
        return matcher.group(1);
    }

    private static String payload(Exchange x) throws Exception {
        String encoded = found(PAYLOAD, x.bodyText());
        return new String(Base64.getUrlDecoder().decode(encoded), StandardCharsets.UTF_8);
    }

    private void order(Exchange x) throws Exception {
        orderRequests.incrementAndGet();
        if (busyStatus != 0) {
            x.header("Retry-After", retryAfter);
            x.status(busyStatus).contentType("application/problem+json");
            String type = busyStatus == 429 ? "rateLimited" : "serverInternal";
            x.send("{\"type\":\"urn:ietf:params:acme:error:" + type + "\"}");
            return;
        }
        assertNull(x.request().headers().first("Accept-Encoding"));
        String payload = payload(x);
        String error = refused.apply(payload);
        if (!error.isEmpty()) {
            x.header("Replay-Nonce", "bm9uY2U");
            x.status(409).contentType("application/problem+json");
            x.send("{\"type\":\"urn:ietf:params:acme:error:" + error + "\"}");
            return;
        }
        ordered = found(ORDERED, payload);
        isFinalized = false;
        x.header("Location", url("/order/1"));
        if (isCompressed) {
            x.header("Replay-Nonce", "bm9uY2U").header("Content-Encoding", "gzip");
            x.status(201).contentType("application/json").send(gzip(order()));
            return;
        }
        reply(x, 201, order());
    }

    private static byte[] gzip(String text) throws Exception {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        return out.toByteArray();
    }

    private String order() {
        return """
        {"status": %s, "identifiers": [{"type": "dns", "value": "%s"}], "authorizations": [],
         "finalize": "%s", "certificate": "%s"}
        """
                        .formatted(
                                state.of(ordered, isFinalized),
                                ordered,
                                url("/finalize"),
                                url("/certificate"))
                + behindOrder;
    }

    private void poll(Exchange x) throws Exception {
        polls.incrementAndGet();
        x.header("Retry-After", "0");
        reply(x, 200, order());
    }

    private void finalizeOrder(Exchange x) throws Exception {
        csr = Base64.getUrlDecoder().decode(found(CSR, payload(x)));
        isFinalized = true;
        reply(x, 200, order());
    }

    private void certificate(Exchange x) throws Exception {
        x.header("Replay-Nonce", "bm9uY2U");
        var chain = new StringBuilder(pem("CERTIFICATE", issued.issue(csr).getEncoded()));
        for (X509Certificate each : behind) {
            chain.append(pem("CERTIFICATE", each.getEncoded()));
        }
        x.contentType("application/pem-certificate-chain").send(chain + behindChain);
    }

    private void renewal(Exchange x) throws Exception {
        renewals.incrementAndGet();
        reply(
                x,
                200,
                """
                {"suggestedWindow":
                 {"start": "%s-01-02T00:00:00Z", "end": "%s-01-03T00:00:00Z"}}
                """
                        .formatted(renewalYear, renewalYear));
    }

    private static String pem(String label, byte[] der) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
    }

    private X509Certificate root(String name, KeyPair key) {
        Instant now = Instant.now();
        return CertificateUtils.createTestRootCertificate(
                "CN=" + name, now.minusSeconds(60), now.plus(Duration.ofDays(30)), key);
    }

    private X509Certificate sign(byte[] request) throws Exception {
        Instant now = clock.instant();
        byte[] text = pem("CERTIFICATE REQUEST", request).getBytes(StandardCharsets.US_ASCII);
        return CertificateUtils.createTestCertificate(
                CertificateUtils.readCSR(new ByteArrayInputStream(text)),
                now.minusSeconds(60),
                now.plus(Duration.ofDays(30)),
                root("authority", ISSUER),
                ISSUER.getPrivate());
    }

    /// As [#sign], with the identifier of the authority's key, without which no authority is asked
    /// about a renewal.
    private X509Certificate signWithIdentifier(byte[] request) throws Exception {
        String store = folder.resolve("authority.p12").toString();
        if (Files.notExists(Path.of(store))) {
            keytool("", "-genkeypair", "-keyalg", "EC", "-dname", "CN=authority", store);
        }
        String[] words = {
            "-gencert", "-rfc", "-dname", "CN=" + NAME, "-ext", "san=dns:" + NAME, store
        };
        String issued = keytool(pem("NEW CERTIFICATE REQUEST", request), words);
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(
                                new ByteArrayInputStream(
                                        issued.getBytes(StandardCharsets.US_ASCII)));
    }

    /// @param words the last is the store
    /// @return what it prints
    private static String keytool(String input, String... words) throws Exception {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(words).subList(0, words.length - 1));
        command.addAll(List.of("-alias", "authority", "-keystore", words[words.length - 1]));
        command.addAll(List.of("-storepass", "changeit"));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (Writer to = process.outputWriter()) {
            to.write(input);
        }
        String printed = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), printed);
        return printed;
    }

    private AcmeSettings settings(String... names) {
        return AcmeSettings.of(folder, names).withDirectory(URI.create(url("/dir")));
    }

    private Renewer renewer(AcmeSettings settings) throws Exception {
        var storage = new Storage(settings.storage(), settings.directory());
        var authority = new Authority(settings, storage, new Proofs(), () -> {});
        return new Renewer(settings, clock, storage, authority, () -> {});
    }

    @Test
    void certificateIsUsed() throws Exception {
        Renewer renewer = renewer(settings(NAME));
        renewer.step();
        assertEquals(1, renewer.validCount());
    }

    /// As where a reload adds a name while the disk is full.
    @Test
    void certificateThatCouldNotBeStoredStaysInUseWithOtherSettings() throws Exception {
        AcmeSettings settings = settings(NAME).withPermission(URI.create(url("/allowed")));
        var storage = new Storage(settings.storage(), settings.directory());
        var obstacles = new ArrayList<Path>();
        issued =
                request -> {
                    obstacles.add(Files.createDirectories(fileOf(ordered).resolve("in-the-way")));
                    return sign(request);
                };
        Renewer renewer = renewer(settings);
        assertTrue(renewer.addOnDemand("new.example.org"));
        renewer.step();
        issued = this::sign;
        assertEquals(2, renewer.validCount());
        List<String> added = List.of(NAME, "more.example.org");
        Renewer next = renewer(settings.withNames(added));
        assertEquals(0, next.validCount());
        next.takeOver(renewer);
        assertEquals(Set.copyOf(renewer.held()), Set.copyOf(next.held()));
        Renewer withoutPermission = renewer(settings(NAME));
        withoutPermission.takeOver(renewer);
        assertEquals(List.of(renewer.held().getFirst()), withoutPermission.held());
        for (Path each : obstacles) {
            Files.delete(each);
            Files.delete(each.getParent());
        }
        next.step();
        assertEquals(3, next.validCount());
        assertEquals(3, storage.names().size());
        assertEquals(3, orderRequests.get());
    }

    private Path fileOf(String name) {
        return folder.resolve("127.0.0.1_" + server.port() + "_dir", name, "fullchain.pem");
    }

    @Test
    void storedCertificateIsUsedWhereItIsValidForLonger() throws Exception {
        Renewer renewer = renewer(settings(NAME));
        renewer.step();
        HeldCertificate old = renewer.held().getFirst();
        clock = () -> Instant.now().plus(Duration.ofDays(25)); // of 30
        Renewer other = renewer(settings(NAME));
        other.step();
        Renewer next = renewer(settings(NAME, "more.example.org"));
        next.takeOver(renewer);
        assertFalse(next.held().contains(old));
        assertEquals(other.held().getFirst().leaf(), next.held().getFirst().leaf());
    }

    @Test
    void certificateOfAnotherAuthorityOrStorageIsNotTakenOver() throws Exception {
        Renewer renewer = renewer(settings(NAME));
        renewer.step();
        AcmeSettings settings = settings(NAME);
        for (AcmeSettings other :
                List.of(
                        settings.withStorage(folder.resolve("other")),
                        settings.withDirectory(URI.create(url("/other"))))) {
            Renewer next = renewer(other);
            next.takeOver(renewer);
            assertEquals(0, next.validCount());
        }
    }

    /// Orders would follow each other without end.
    @Test
    void newCertificateIsNotReplacedAtOnceWhateverTheAuthorityWants() throws Exception {
        issued = this::signWithIdentifier;
        Renewer renewer = renewer(settings(NAME));
        Instant next = renewer.step();
        assertEquals(1, renewer.validCount());
        assertEquals(1, renewals.get());
        Instant soonest = Instant.now().plus(Duration.ofMinutes(30));
        assertTrue(next.isAfter(soonest), next::toString);
    }

    /// It would expire.
    @Test
    void certificateIsReplacedBeforeItsExpiryWhateverTheAuthorityWants() throws Exception {
        var orders = new AtomicInteger();
        issued =
                request -> {
                    orders.incrementAndGet();
                    return signWithIdentifier(request);
                };
        renewalYear = "2999";
        var ahead = new AtomicInteger();
        clock = () -> Instant.now().plus(Duration.ofDays(ahead.get()));
        Renewer renewer = renewer(settings(NAME));
        renewer.step();
        assertEquals(1, orders.get());
        ahead.set(80); // of 90
        renewer.step();
        assertEquals(2, orders.get());
    }

    /// As Let's Encrypt does for good where the certificate it issued in its place was lost.
    @Test
    void certificateIsOrderedAnewWhereItsReplacementIsRefused() throws Exception {
        var orders = new AtomicInteger();
        issued =
                request -> {
                    orders.incrementAndGet();
                    return signWithIdentifier(request);
                };
        refused = payload -> payload.contains("replaces") ? "alreadyReplaced" : "";
        var ahead = new AtomicInteger();
        clock = () -> Instant.now().plus(Duration.ofDays(ahead.get()));
        Renewer renewer = renewer(settings(NAME));
        renewer.step();
        ahead.set(80); // of 90
        renewer.step();
        assertEquals(2, orders.get());
        assertEquals(0, renewer.failures());
    }

    /// Such as one that was set up anew.
    @Test
    void accountIsRegisteredAgainIfTheAuthorityHasLostIt() throws Exception {
        refused = _ -> accounts.get() < 2 ? "accountDoesNotExist" : "";
        var ahead = new AtomicInteger();
        clock = () -> Instant.now().plus(Duration.ofHours(ahead.get()));
        Renewer renewer = renewer(settings(NAME));
        renewer.step();
        assertEquals(0, renewer.validCount());
        ahead.set(1);
        renewer.step();
        assertEquals(1, renewer.validCount());
    }

    /// As for all orders of an account: clients request as many names as they like.
    @Test
    void authorityThatLimitsOrdersIsLeftAloneForAllNames() throws Exception {
        var orders = new AtomicInteger();
        refused =
                _ -> {
                    orders.incrementAndGet();
                    return "rateLimited";
                };
        var ahead = new AtomicInteger();
        clock = () -> Instant.now().plus(Duration.ofMinutes(ahead.get()));
        Renewer renewer = renewer(settings(NAME).withPermission(URI.create(url("/allowed"))));
        renewer.step();
        assertEquals(1, orders.get());
        for (int i = 0; i < 5; i++) {
            assertTrue(renewer.addOnDemand("name" + i + ".example.org"));
        }
        ahead.set(55);
        renewer.step();
        assertEquals(1, orders.get());
        refused = _ -> "";
        ahead.set(65);
        renewer.step();
        assertEquals(6, renewer.validCount());
        assertEquals(1, renewer.failures());
    }

    /// Of a wish without meaning, the status alone counts.
    @ParameterizedTest
    @ValueSource(strings = {"3600", "-5", "99999999999", "99999999999999999999", "soon", ""})
    void authorityThatLimitsIsLeftAloneWhateverItWishes(String wish) throws Exception {
        busyStatus = 429;
        retryAfter = wish;
        assertIsLeftAlone(Duration.ofDays(8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3600", "99999999999", "Sun, 01 Dec 2999 10:00:00 GMT"})
    void authorityThatIsUnavailableIsLeftAloneForAsLongAsItWishes(String wish) throws Exception {
        busyStatus = 503;
        retryAfter = wish;
        assertIsLeftAlone(Duration.ofHours(7));
    }

    private void assertIsLeftAlone(Duration most) throws Exception {
        Instant soonest = Instant.now().plus(Duration.ofMinutes(59));
        Renewer renewer = renewer(settings(NAME, "second.example.org"));
        Instant next = renewer.step();
        assertTrue(next.isAfter(soonest), next::toString);
        assertTrue(next.isBefore(Instant.now().plus(most)), next::toString);
        assertEquals(1, orderRequests.get());
    }

    /// It has refused nothing.
    @Test
    void replacementIsNotOrderedAnewFromAnAuthorityThatIsUnavailable() throws Exception {
        issued = this::signWithIdentifier;
        var ahead = new AtomicInteger();
        clock = () -> Instant.now().plus(Duration.ofDays(ahead.get()));
        Renewer renewer = renewer(settings(NAME));
        renewer.step();
        busyStatus = 503;
        retryAfter = "3600";
        ahead.set(80); // of 90
        renewer.step();
        assertEquals(2, orderRequests.get());
        assertEquals(1, renewer.failures());
    }

    /// Let's Encrypt allows five failed proofs of a name in an hour. One more would be a pause for
    /// all names.
    @Test
    void nameThatCannotBeProvedKeepsNoOthersWaiting() throws Exception {
        Instant start = Instant.now();
        var minute = new AtomicInteger();
        clock = () -> start.plus(Duration.ofMinutes(minute.get()));
        var proofs = new CopyOnWriteArrayList<Integer>();
        state =
                (name, isFinalized) ->
                        name.startsWith("bad.") ? INVALID : isFinalized ? VALID : READY;
        refused =
                payload -> {
                    if (!payload.contains("bad.")) {
                        return "";
                    }
                    int since = minute.get() - MINUTES;
                    if (proofs.stream().filter(at -> at > since).count() >= 5) {
                        return "rateLimited";
                    }
                    proofs.add(minute.get());
                    return "";
                };
        Renewer renewer =
                renewer(settings("bad.example.org").withPermission(URI.create(url("/allowed"))));
        for (; minute.get() < 24 * MINUTES; minute.incrementAndGet()) {
            if (minute.get() % MINUTES == 10) {
                assertTrue(renewer.addOnDemand("new" + minute + ".example.org"));
            }
            renewer.step();
        }
        assertEquals(List.of(0, 0, 1, 5, 21), proofs.stream().filter(at -> at < MINUTES).toList());
        assertEquals(24, renewer.validCount());
        assertEquals(proofs.size(), orderRequests.get() - 24, "none was refused");
    }

    /// Programs that add their customers' names reload often: each would be two failed proofs.
    @Test
    void nameThatFailsIsNotRepeatedAtOnceSinceOthersAreAdded() throws Exception {
        Instant start = Instant.now();
        var minute = new AtomicInteger();
        clock = () -> start.plus(Duration.ofMinutes(minute.get()));
        state =
                (name, isFinalized) ->
                        name.startsWith("bad.") ? INVALID : isFinalized ? VALID : READY;
        Renewer renewer = renewer(settings("bad.example.org"));
        renewer.step();
        assertEquals(2, orderRequests.get(), "by TLS and by HTTP");
        Renewer next = renewer(settings("bad.example.org", NAME));
        next.takeOver(renewer);
        next.step();
        assertEquals(1, next.validCount());
        assertEquals(3, orderRequests.get());
        minute.set(1);
        next.step();
        assertEquals(4, orderRequests.get());
        assertOtherSettingsAreTriedAtOnce(next);
    }

    /// They may be a correction.
    private void assertOtherSettingsAreTriedAtOnce(Renewer previous) throws Exception {
        int before = orderRequests.get();
        Renewer next = renewer(settings("bad.example.org").withProof(AcmeSettings.Proof.HTTP_01));
        next.takeOver(previous);
        next.step();
        assertEquals(before + 1, orderRequests.get());
    }

    @Test
    void pauseIsKeptWhenNamesAreAdded() throws Exception {
        refused = _ -> "rateLimited";
        Renewer renewer = renewer(settings(NAME));
        renewer.step();
        Renewer next = renewer(settings(NAME, "more.example.org"));
        next.takeOver(renewer);
        next.step();
        assertEquals(1, orderRequests.get());
    }

    /// As with Let's Encrypt's limit of the certificates for one domain.
    @Test
    void namesOfALimitedDomainKeepNoOthersWaiting() throws Exception {
        var ahead = new AtomicInteger();
        clock = () -> Instant.now().plus(Duration.ofMinutes(ahead.get()));
        String[] names = {"a.limited.org", "b.limited.org", "c.limited.org", "shop.example.net"};
        refused = payload -> payload.contains("limited") ? "rateLimited" : "";
        Renewer renewer = renewer(settings(names));
        renewer.step();
        assertEquals(0, renewer.validCount());
        ahead.set(65);
        renewer.step();
        assertEquals(1, renewer.validCount());
        assertEquals(2, renewer.failures(), "the authority is left alone again");
    }

    /// It would expire.
    @Test
    void certificateIsRenewedWhileOthersAreLimited() throws Exception {
        var ahead = new AtomicInteger();
        clock = () -> Instant.now().plus(Duration.ofMinutes(ahead.get()));
        renewer(settings(NAME)).step();
        refused = payload -> payload.contains("limited") ? "rateLimited" : "";
        ahead.set((int) Duration.ofDays(25).toMinutes()); // of 30
        var orders = new AtomicInteger();
        issued =
                request -> {
                    orders.incrementAndGet();
                    return sign(request);
                };
        renewer(settings("limited.example.net", NAME)).step();
        assertEquals(1, orders.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 12_000})
    void pauseByAClockThatWasAheadIsNoLongerWhenItIsSet(int hours) throws Exception {
        var ahead = new AtomicInteger(hours * MINUTES);
        clock = () -> Instant.now().plus(Duration.ofMinutes(ahead.get()));
        refused = _ -> "rateLimited";
        Renewer renewer = renewer(settings(NAME, "second.example.org"));
        renewer.step();
        refused = _ -> "";
        ahead.set(0);
        renewer.step();
        ahead.set(2);
        renewer.step();
        assertEquals(2, renewer.validCount());
    }

    /// As after a start with a clock of another time zone: the next attempt would come hours late.
    @Test
    void failureByAClockThatWasAheadIsRepeatedAsSoonWhenItIsSet() throws Exception {
        var ahead = new AtomicInteger(8 * MINUTES);
        clock = () -> Instant.now().plus(Duration.ofMinutes(ahead.get()));
        refused = _ -> "rejectedIdentifier";
        Renewer renewer = renewer(settings(NAME));
        renewer.step();
        refused = _ -> "";
        ahead.set(0);
        renewer.step();
        ahead.set(2);
        renewer.step();
        assertEquals(1, renewer.validCount());
    }

    @Test
    void wishIsKeptWhenAClockThatWasAheadIsSet() throws Exception {
        busyStatus = 429;
        retryAfter = Integer.toString(10 * 3_600); // by the clock that is ahead, two hours
        var ahead = new AtomicInteger(8 * MINUTES);
        clock = () -> Instant.now().plus(Duration.ofMinutes(ahead.get()));
        Renewer renewer = renewer(settings(NAME));
        renewer.step();
        busyStatus = 0;
        ahead.set(0);
        renewer.step();
        ahead.set(2 * MINUTES - 5);
        renewer.step();
        assertEquals(1, orderRequests.get());
        ahead.set(2 * MINUTES + 5);
        renewer.step();
        assertEquals(1, renewer.validCount());
    }

    /// An alarm belongs on the time that is left.
    @Test
    void expiredNamesOnDemandDoNotCountAsExpiring() throws Exception {
        var ahead = new AtomicInteger();
        clock = () -> Instant.now().plus(Duration.ofDays(ahead.get()));
        AcmeSettings settings = settings(NAME).withPermission(URI.create(url("/allowed")));
        Renewer renewer = renewer(settings);
        assertTrue(renewer.addOnDemand("left.example.org"));
        renewer.step();
        assertEquals(2, renewer.validCount());
        refused = payload -> payload.contains("left") ? "rejectedIdentifier" : "";
        ahead.set(400);
        assertTrue(renewer.firstExpiry().orElseThrow().isBefore(clock.instant()), "both expired");
        renewer.step();
        assertEquals(1, renewer.validCount());
        assertTrue(renewer.firstExpiry().orElseThrow().isAfter(clock.instant()));
    }

    /// Such as names that the site permits and that do not point to this server.
    @Test
    void namesOnDemandThatAlwaysFailKeepNoneFromACertificate() throws Exception {
        refused = payload -> payload.contains("hopeless") ? "rejectedIdentifier" : "";
        var ahead = new AtomicInteger();
        clock = () -> Instant.now().plus(Duration.ofHours(ahead.get()));
        Renewer renewer = renewer(settings(NAME).withPermission(URI.create(url("/allowed"))));
        for (int i = 0; i < Renewer.ON_DEMAND_MAX; i++) {
            assertTrue(renewer.addOnDemand("hopeless" + i + ".example.org"));
        }
        renewer.step();
        assertFalse(renewer.addOnDemand("late.example.org"), "each has failed only once");
        for (int i = 0; i < 2; i++) {
            ahead.addAndGet(12);
            renewer.step();
        }
        assertTrue(renewer.addOnDemand("late.example.org"));
        assertTrue(renewer.isManaged("late.example.org"));
        assertReturnsNoSoonerThanItsNextAttempt(renewer, ahead);
    }

    /// Else a client that requests one name more than there are places could cause any number of
    /// orders.
    private static void assertReturnsNoSoonerThanItsNextAttempt(
            Renewer renewer, AtomicInteger ahead) throws Exception {
        String givenUp =
                IntStream.range(0, Renewer.ON_DEMAND_MAX)
                        .mapToObj(i -> "hopeless" + i + ".example.org")
                        .filter(name -> !renewer.isManaged(name))
                        .findFirst()
                        .orElseThrow();
        assertFalse(renewer.addOnDemand(givenUp));
        ahead.addAndGet(12);
        long before = renewer.failures();
        assertTrue(renewer.addOnDemand(givenUp));
        renewer.step();
        assertTrue(renewer.failures() > before);
    }

    /// Customers who have left, but whom the site still permits.
    @Test
    void expiredNamesOnDemandThatFailGiveTheirPlacesToOthers() throws Exception {
        var ahead = new AtomicInteger();
        clock = () -> Instant.now().plus(Duration.ofDays(ahead.get()));
        Renewer renewer = renewer(settings(NAME).withPermission(URI.create(url("/allowed"))));
        for (int i = 0; i < Renewer.ON_DEMAND_MAX; i++) {
            assertTrue(renewer.addOnDemand("left" + i + ".example.org"));
        }
        renewer.step();
        refused = payload -> payload.contains("left") ? "rejectedIdentifier" : "";
        ahead.set(400);
        assertFalse(renewer.addOnDemand("late.example.org"), "they may be renewed");
        for (int i = 0; i < 3; i++) {
            renewer.step();
            ahead.incrementAndGet();
        }
        assertTrue(renewer.addOnDemand("zlate.example.org"));
        renewer.step();
        assertEquals(2, renewer.validCount());
        assertValidOnesAreFirstAtAStart();
    }

    /// Former customers' certificates expire one after the other, and come first in the alphabet.
    private void assertValidOnesAreFirstAtAStart() throws Exception {
        AcmeSettings settings = settings(NAME).withPermission(URI.create(url("/allowed")));
        var storage = new Storage(settings.storage(), settings.directory());
        List<String> names = storage.names();
        assertEquals(Renewer.ON_DEMAND_MAX + 1, names.size(), "what was given up is stored");
        HeldCertificate old = storage.load(names.getFirst()).orElseThrow();
        storage.store(new HeldCertificate("aa.example.org", old.chain(), old.key()));
        Renewer next = renewer(settings);
        assertTrue(next.isManaged("zlate.example.org"));
        assertEquals(2, next.validCount());
    }

    /// With it, the server could load none of its certificates again.
    @Test
    void certificateForAnotherKeyIsNotUsed() throws Exception {
        issued = _ -> root(NAME, ISSUER);
        assertFailsBecause("is for another key");
    }

    @Test
    void certificateForAnotherNameIsNotUsed() throws Exception {
        issued =
                _ ->
                        CertificateUtils.createTlsAlpn01Certificate(
                                ISSUER, Identifier.dns("other.example.org"), new byte[32]);
        assertFailsBecause("is for another name");
    }

    /// The server loads none out of order, and with it none of the others either.
    @Test
    void chainThatIsOutOfOrderIsNotUsed() throws Exception {
        behind = List.of(root("another authority", ISSUER));
        assertFailsBecause("certificate 2 did not issue the one before it");
        behind = List.of(root("authority", ISSUER));
        Renewer renewer = renewer(settings(NAME));
        renewer.step();
        assertEquals(1, renewer.validCount());
    }

    /// What is read is held in memory, several times.
    @Test
    void responseThatIsTooLargeIsAFailureLikeOthers() throws Exception {
        behindOrder = " ".repeat(AuthorityClient.RESPONSE_MAX);
        assertFailsBecause("body exceeds capacity: 262144");
        isCompressed = true;
        assertFailsBecause("the response is compressed, which was not requested");
        isCompressed = false;
        behindOrder = "";
        behindChain = "\n".repeat(AuthorityClient.RESPONSE_MAX);
        assertFailsBecause("body exceeds capacity: 262144");
        behindChain = "\n".repeat(AuthorityClient.RESPONSE_MAX / 2);
        Renewer renewer = renewer(settings(NAME));
        renewer.step();
        assertEquals(1, renewer.validCount());
    }

    private void assertFailsBecause(String reason) throws Exception {
        try (var log = LogCapture.of("dev.tandem.acme")) {
            Renewer renewer = renewer(settings(NAME));
            renewer.step();
            assertEquals(0, renewer.validCount());
            assertEquals(1, renewer.failures());
            List<String> lines = log.messages(line -> line.contains("tried again at"));
            assertTrue(lines.getFirst().contains(reason), lines::toString);
        }
    }

    @Test
    void authorityThatWantsToBeAskedAtOnceIsAskedWithPauses() throws Exception {
        state = (_, isFinalized) -> isFinalized ? "\"processing\"" : READY;
        AcmeSettings settings = settings(NAME);
        var storage = new Storage(settings.storage(), settings.directory());
        var authority =
                new Authority(settings, storage, new Proofs(), () -> {}, Duration.ofSeconds(4));
        assertThrows(
                OrderFailedException.class,
                () -> authority.order(NAME, null, AcmeSettings.Proof.HTTP_01));
        assertTrue(polls.get() <= 45, () -> polls + " times within 4 s");
    }

    /// What it nests uses up the stack, which no failure of an order is expected to do.
    @Test
    void nameThatFailsByADefectDelaysNoOther() throws Exception {
        String problem = "{\"type\":\"t\",\"detail\":\"d\",\"subproblems\":[";
        String nested = problem.repeat(6_000) + "]}".repeat(6_000);
        state =
                (name, isFinalized) ->
                        name.startsWith("bad.")
                                ? "\"invalid\", \"error\": " + nested
                                : isFinalized ? VALID : READY;
        try (var log = LogCapture.of("dev.tandem.acme")) {
            Renewer renewer = renewer(settings("bad.example.org", NAME));
            renewer.step();
            assertEquals(1, renewer.validCount());
            assertEquals(1, renewer.failures());
            List<String> lines = log.messages(line -> line.contains("a step failed"));
            assertFalse(lines.isEmpty(), log.lines()::toString);
        }
    }
}
