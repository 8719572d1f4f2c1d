package dev.tandem.acme;

import dev.tandem.net.NanoClock;
import dev.tandem.net.RateLimitedLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.util.CertificateUtils;
import org.shredzone.acme4j.util.KeyPairUtils;

/// Orders and renews the certificates of all names, one after the other: [#step] does what is due.
/// That is called by one thread; what is held may be read by any.
final class Renewer {
    /// 100: how many names get a certificate on demand. For each order all certificates are loaded
    /// again three times, since a proof comes and goes by a reload.
    static final int ON_DEMAND_MAX = 100;

    /// 3: a name on demand that has failed so often in succession, and has no valid certificate,
    /// gives its place to another. The third failure is some minutes after the first.
    private static final int GIVEN_UP_AFTER = 3;

    /// How long the certificate without an authority is valid: it is replaced in minutes.
    private static final Duration PLACEHOLDER_LIFE = Duration.ofDays(90);

    private final AcmeSettings settings;
    private final InstantSource clock;
    private final Storage storage;
    private final Authority authority;
    private final @Nullable Permission permission;
    private final Runnable changed;
    private final Map<String, Managed> all = new ConcurrentHashMap<>();
    private final LongAdder failures = new LongAdder();

    /// Names on demand that were given up, with the time before which they are not ordered again:
    /// a client that requests many in turn must cause no more orders. Confined to the thread that
    /// renews.
    private final Map<String, Managed> givenUp = new RecentNames<>();

    /// Clients choose the names that are requested, as many as they like.
    private final RateLimitedLog onDemandLog =
            new RateLimitedLog(NanoClock.SYSTEM, line -> Log.LOG.log(Level.WARNING, line));

    /// Until when the authority gets no orders of further certificates, since it limits them. Most
    /// limits are not of renewals. Written by the thread that renews.
    private volatile Plan pauseEnd = Plan.AT_ONCE;

    private @Nullable HeldCertificate placeholder;

    /// The valid certificates of which the server knows: those it asked for last.
    private volatile Set<HeldCertificate> known = Set.of();

    /// What failed since there was a certificate.
    ///
    /// @param orders attempts in a row
    /// @param proofs those of them that failed since the name could not be proved
    /// @param isLimited whether the authority refused the last one because it limits them
    private record Failures(int orders, int proofs, boolean isLimited) {
        static final Failures NONE = new Failures(0, 0, false);

        Failures withOrder(boolean isLimited) {
            return new Failures(orders + 1, proofs, isLimited);
        }

        Failures withProof() {
            return new Failures(orders, proofs + 1, isLimited);
        }
    }

    /// A name and its certificate. Written by the thread that renews.
    private static final class Managed {
        final String name;
        final boolean isOnDemand;
        volatile @Nullable HeldCertificate held;

        /// When [#renewAt] is reached, the authority is asked again, or a failure is repeated.
        volatile Plan due = Plan.AT_ONCE;

        volatile Failures failures = Failures.NONE;
        Instant renewAt = Instant.MIN;
        boolean isStored = true;

        Managed(String name, boolean isOnDemand) {
            this.name = name;
            this.isOnDemand = isOnDemand;
        }
    }

    /// Reads what is stored.
    ///
    /// @param changed called when there is another certificate
    /// @throws IOException if the storage cannot be read
    Renewer(
            AcmeSettings settings,
            InstantSource clock,
            Storage storage,
            Authority authority,
            Runnable changed)
            throws IOException {
        this.settings = settings;
        this.clock = clock;
        this.storage = storage;
        this.authority = authority;
        this.changed = changed;
        permission = settings.permission() == null ? null : new Permission(settings.permission());
        for (String name : settings.names()) {
            add(name, false);
        }
        if (permission != null) {
            addStored();
        }
    }

    /// A name on demand that has been stored, with what could be read.
    private record Stored(String name, Optional<HeldCertificate> held) {
        Instant expiry() {
            return held.map(HeldCertificate::expiry).orElse(Instant.MIN);
        }
    }

    /// Adds the names on demand that have been stored. Where there are too many, those whose
    /// certificates are valid for longest come before such as have expired.
    private void addStored() throws IOException {
        storage.names().stream()
                .filter(name -> !all.containsKey(name))
                .map(name -> new Stored(name, load(name)))
                .sorted(Comparator.comparing(Stored::expiry).reversed()) // stable
                .limit(ON_DEMAND_MAX)
                .forEach(each -> add(each.name(), true, each.held()));
    }

    private void add(String name, boolean isOnDemand) {
        add(name, isOnDemand, load(name));
    }

    private void add(String name, boolean isOnDemand, Optional<HeldCertificate> held) {
        var managed = new Managed(name, isOnDemand);
        held.ifPresent(stored -> useStored(managed, stored));
        all.put(name, managed);
    }

    private Optional<HeldCertificate> load(String name) {
        try {
            return storage.load(name);
        } catch (IOException e) {
            Log.LOG.log(Level.WARNING, "ordered anew, because " + e.getMessage());
            return Optional.empty();
        }
    }

    /// One that is not valid yet is kept: at the start, this machine's clock may not be set. Orders
    /// at each start would reach the authority's limits.
    private void useStored(Managed managed, HeldCertificate held) {
        use(managed, held);
        try {
            held.check(clock.instant());
        } catch (CertificateException e) {
            Log.LOG.log(
                    Level.WARNING,
                    managed.name + ": its stored certificate is not used now: " + e.getMessage());
        }
    }

    private static HeldCertificate newPlaceholder(Instant now) {
        KeyPair key = KeyPairUtils.createKeyPair(Authority.RSA_BITS);
        X509Certificate certificate =
                CertificateUtils.createTestRootCertificate(
                        "CN=no certificate was issued yet",
                        now.minus(Duration.ofDays(1)),
                        now.plus(PLACEHOLDER_LIFE),
                        key);
        return new HeldCertificate("placeholder", List.of(certificate), key.getPrivate());
    }

    /// Returns the certificates that are valid now, in the order of the configured names; the
    /// placeholder if there is none.
    List<HeldCertificate> held() {
        List<HeldCertificate> valid =
                valid().sorted(
                                Comparator.<HeldCertificate>comparingInt(each -> order(each.name()))
                                        .thenComparing(HeldCertificate::name))
                        .toList();
        known = Set.copyOf(valid);
        return valid.isEmpty() ? List.of(placeholder()) : valid;
    }

    /// Returns a certificate until there is another: connections are encrypted, but no client
    /// trusts it.
    private synchronized HeldCertificate placeholder() {
        HeldCertificate known = placeholder;
        if (known == null) {
            known = newPlaceholder(clock.instant());
            placeholder = known;
        }
        return known;
    }

    private Stream<HeldCertificate> valid() {
        Instant now = clock.instant();
        return present().filter(each -> isValid(each, now));
    }

    private Stream<HeldCertificate> present() {
        return all.values().stream().flatMap(each -> Stream.ofNullable(each.held));
    }

    /// Returns the place of a configured name; those on demand come after all.
    private int order(String name) {
        int at = settings.names().indexOf(name);
        return at < 0 ? Integer.MAX_VALUE : at;
    }

    /// Keeps in use what an earlier one of the same storage and authority has, where that is valid
    /// for longer than what could be read: it may not be stored, as where the disk is full. If only
    /// the names are others, what failed is not repeated at once.
    void takeOver(Renewer previous) {
        AcmeSettings earlier = previous.settings;
        if (!settings.storage().equals(earlier.storage())
                || !settings.directory().equals(earlier.directory())) {
            return;
        }
        previous.all.values().forEach(this::takeOverCertificate);
        if (settings.withNames(List.of()).equals(earlier.withNames(List.of()))) {
            previous.all.values().forEach(this::takeOverFailures);
            Plan earlierEnd = previous.pauseEnd;
            pauseEnd = earlierEnd.at().isAfter(pauseEnd.at()) ? earlierEnd : pauseEnd;
        }
    }

    private void takeOverCertificate(Managed earlier) {
        HeldCertificate held = earlier.held;
        if (held == null) {
            return;
        }
        Managed own = all.get(earlier.name);
        if (own == null && earlier.isOnDemand && hasPlaceOnDemand()) {
            own = new Managed(earlier.name, true);
            all.put(own.name, own);
        }
        if (own != null && (own.held == null || own.held.expiry().isBefore(held.expiry()))) {
            use(own, held);
            own.isStored = false;
        }
    }

    /// Programs that add their customers' names reload often.
    private void takeOverFailures(Managed earlier) {
        Failures failures = earlier.failures;
        Managed own = all.get(earlier.name);
        if (own != null && failures.orders() + failures.proofs() > 0) {
            own.failures = failures;
            own.due = earlier.due;
        }
    }

    private boolean hasPlaceOnDemand() {
        return permission != null && onDemandCount() < ON_DEMAND_MAX;
    }

    private static boolean isValid(HeldCertificate held, Instant now) {
        try {
            held.check(now);
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }

    boolean isManaged(String name) {
        return all.containsKey(name);
    }

    private long onDemandCount() {
        return all.values().stream().filter(each -> each.isOnDemand).count();
    }

    /// Returns how many orders failed.
    long failures() {
        return failures.sum();
    }

    /// Returns how many names have a valid certificate.
    long validCount() {
        return valid().count();
    }

    /// Returns when the first of all certificates expires; empty if there is none. One on demand
    /// that has expired is a former customer's: it does not count.
    Optional<Instant> firstExpiry() {
        Instant now = clock.instant();
        return all.values().stream()
                .flatMap(
                        each ->
                                Stream.ofNullable(each.held)
                                        .map(HeldCertificate::expiry)
                                        .filter(end -> !each.isOnDemand || end.isAfter(now)))
                .min(Comparator.naturalOrder());
    }

    /// Does what is due.
    ///
    /// @return when something is due next
    Instant step() throws InterruptedException {
        showNewlyValid();
        planAnew();
        for (Managed each : inOrder()) {
            if (each.due.isReached(clock.instant())) {
                handleGuarded(each);
            }
        }
        return all.values().stream()
                .map(each -> each.due.at())
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }

    /// Plans anew what was planned by a clock that has been set back since.
    private void planAnew() {
        Instant now = clock.instant();
        pauseEnd = pauseEnd.asOf(now);
        Stream.concat(all.values().stream(), givenUp.values().stream())
                .forEach(each -> each.due = each.due.asOf(now));
    }

    /// Makes the server use a certificate that has become valid, because the clock was set. If that
    /// fails, the names are renewed nevertheless.
    private void showNewlyValid() {
        List<HeldCertificate> valid = valid().toList();
        if (known.containsAll(valid)) {
            return;
        }
        known = Set.copyOf(valid); // also if the server does not come to ask for them
        try {
            changed.run();
        } catch (RuntimeException | Error e) {
            Log.LOG.log(Level.ERROR, "a certificate that is valid now cannot be used", e);
        }
    }

    /// Many limits are of one domain: its names come last, since each that is refused is a pause
    /// for all.
    private List<Managed> inOrder() {
        Set<String> limited =
                all.values().stream()
                        .filter(each -> each.failures.isLimited())
                        .map(each -> domain(each.name))
                        .collect(Collectors.toSet());
        return all.values().stream()
                .sorted(
                        Comparator.<Managed, Boolean>comparing(
                                        each -> limited.contains(domain(each.name)))
                                .thenComparingInt(each -> order(each.name)))
                .toList();
    }

    /// Returns the last two labels: what they are of is one domain in most cases.
    private static String domain(String name) {
        int last = name.lastIndexOf('.');
        return name.substring(name.lastIndexOf('.', last - 1) + 1);
    }

    /// Has a certificate ordered for a name that a client requested, and the site permits.
    ///
    /// @return false if there are as many on demand as there may be, or if the name has failed and
    ///     its next attempt is not due
    boolean addOnDemand(String name) {
        if (isManaged(name)) {
            return true;
        }
        Managed earlier = givenUp.get(name);
        if (earlier != null && !earlier.due.isReached(clock.instant())) {
            return false;
        }
        if (onDemandCount() >= ON_DEMAND_MAX && !giveUpOne()) {
            onDemandLog.log(
                    name + ": no certificate, there are " + ON_DEMAND_MAX + " on demand already");
            return false;
        }
        if (earlier == null) {
            add(name, true);
        } else {
            givenUp.remove(name);
            all.put(name, earlier);
        }
        return true;
    }

    /// Gives up the name on demand that has failed most often and has no valid certificate, such as
    /// one that does not point to this server, or not any more.
    ///
    /// @return false if there is none
    private boolean giveUpOne() {
        Instant now = clock.instant();
        Optional<Managed> hopeless =
                all.values().stream()
                        .filter(each -> each.isOnDemand && each.failures.orders() >= GIVEN_UP_AFTER)
                        .filter(each -> each.held == null || !isValid(each.held, now))
                        .max(Comparator.comparingInt(each -> each.failures.orders()));
        hopeless.ifPresent(this::giveUp);
        return hopeless.isPresent();
    }

    private void giveUp(Managed managed) {
        givenUp.put(managed.name, managed);
        all.remove(managed.name);
        onDemandLog.log(managed.name + ": given up for another name on demand, since it failed");
        HeldCertificate held = managed.held;
        if (held == null || clock.instant().isAfter(held.expiry())) {
            deleteStored(managed.name); // else it would take a place at the next start
        }
    }

    private void deleteStored(String name) {
        try {
            storage.delete(name);
        } catch (IOException e) {
            Log.LOG.log(Level.WARNING, "cannot be removed: " + e);
        }
    }

    /// Asks the site. Blocks; may be called by any thread.
    ///
    /// @return false if it does not reply, too
    boolean isPermitted(String name) throws InterruptedException {
        Permission asked = permission;
        try {
            return asked != null && asked.allows(name);
        } catch (IOException e) {
            onDemandLog.log(
                    name + ": no certificate, " + settings.permission() + " does not reply: " + e);
            return false;
        }
    }

    /// A defect, or a lack of memory, that one name meets again and again must not keep the names
    /// behind it waiting: it is a failure like others.
    private void handleGuarded(Managed managed) throws InterruptedException {
        try {
            handle(managed);
        } catch (RuntimeException | Error e) {
            failed(managed, new IOException(String.valueOf(e), e), null);
            Log.LOG.log(Level.ERROR, managed.name + ": a step failed", e);
        }
    }

    private void handle(Managed managed) throws InterruptedException {
        HeldCertificate held = managed.held;
        if (held != null && !managed.isStored) {
            store(managed, held);
        }
        if (held != null && managed.renewAt.isAfter(clock.instant())) {
            ask(managed, held);
            if (managed.renewAt.isAfter(clock.instant())) {
                return;
            }
        }
        boolean isRenewal = held != null && isValid(held, clock.instant());
        if (!isRenewal && !pauseEnd.isReached(clock.instant())) {
            managed.due = pauseEnd;
            return;
        }
        if (permission != null
                && managed.isOnDemand
                && (held != null || managed.failures.orders() > 0)) {
            try {
                if (!permission.allows(managed.name)) {
                    forget(managed);
                    return;
                }
            } catch (IOException e) {
                // A site that does not reply has not said that the name is no longer its own.
                failed(managed, new IOException(settings.permission() + ": " + e, e), null);
                return;
            }
        }
        renew(managed, held);
    }

    /// Asks the authority when it wants a renewal. If it does not say, the lifetime decides.
    private void ask(Managed managed, HeldCertificate held) throws InterruptedException {
        Instant now = clock.instant();
        Instant begin = held.leaf().getNotBefore().toInstant();
        Instant due = Renewal.due(begin, held.expiry());
        try {
            due = authority.renewal(held.leaf()).orElse(due);
            due = earlier(due, Renewal.latest(begin, held.expiry()));
        } catch (OrderFailedException | IOException e) {
            Log.LOG.log(
                    Level.INFO,
                    managed.name
                            + ": the authority does not say when it wants a renewal: "
                            + e.getMessage());
        }
        managed.renewAt = due;
        managed.due = new Plan(now, earlier(due, Renewal.check(now, begin, held.expiry())));
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    private void renew(Managed managed, @Nullable HeldCertificate held)
            throws InterruptedException {
        try {
            storage.checkWritable(managed.name);
            HeldCertificate issued = order(managed, held == null ? null : held.leaf());
            issued.check(clock.instant());
            store(managed, issued);
            use(managed, issued);
            changed.run(); // first, since the authority may be slow
            ask(managed, issued);
            delay(managed, issued);
            Log.LOG.log(
                    Level.INFO,
                    managed.name
                            + ": a certificate valid until "
                            + issued.expiry()
                            + ", to be renewed at "
                            + managed.renewAt);
        } catch (OrderFailedException e) {
            pause(e.retryAfter());
            failed(managed, e, e.retryAfter());
        } catch (IOException | CertificateException e) {
            failed(managed, e, null);
        }
    }

    /// Leaves an authority alone that limits orders or is unavailable: each name that clients
    /// request would be one order more.
    private void pause(@Nullable Instant retryAfter) {
        if (retryAfter != null) {
            Instant now = clock.instant();
            pauseEnd = new Plan(now, Renewal.pauseEnd(now, retryAfter));
            Log.LOG.log(
                    Level.WARNING,
                    "the authority asks for a pause: it gets no orders of further certificates"
                            + " before "
                            + pauseEnd.at());
        }
    }

    /// Has a new certificate used for a while, whatever the authority says: one that wants a
    /// renewal at any time would be sent orders without end.
    private void delay(Managed managed, HeldCertificate issued) {
        Instant begin = issued.leaf().getNotBefore().toInstant();
        Instant now = clock.instant();
        Instant soonest = Renewal.check(now, begin, issued.expiry());
        if (managed.renewAt.isBefore(soonest)) {
            managed.renewAt = soonest;
            managed.due = new Plan(now, soonest);
        }
    }

    /// With `ANY`, tries what [Renewal#proof] says: HTTP comes after TLS if the authority could not
    /// check the name by TLS.
    private HeldCertificate order(Managed managed, @Nullable X509Certificate replaced)
            throws OrderFailedException, IOException, InterruptedException {
        AcmeSettings.Proof proof =
                settings.proof() == AcmeSettings.Proof.ANY
                        ? Renewal.proof(managed.failures.proofs())
                        : settings.proof();
        boolean hasBoth = proof == AcmeSettings.Proof.ANY;
        try {
            return authority.order(
                    managed.name, replaced, hasBoth ? AcmeSettings.Proof.TLS_ALPN_01 : proof);
        } catch (OrderFailedException e) {
            if (e.getCause() != null) {
                throw e; // it did not come to a check
            }
            managed.failures = managed.failures.withProof();
            if (!hasBoth) {
                throw new OrderFailedException(
                        "by " + nameOf(proof) + ": " + e.getMessage(), e.retryAfter(), e);
            }
            try {
                return authority.order(managed.name, replaced, AcmeSettings.Proof.HTTP_01);
            } catch (OrderFailedException second) {
                throw new OrderFailedException(
                        "by TLS: " + e.getMessage() + "; by HTTP: " + second.getMessage(),
                        second.retryAfter(),
                        second);
            }
        }
    }

    private static String nameOf(AcmeSettings.Proof proof) {
        return proof == AcmeSettings.Proof.HTTP_01 ? "HTTP" : "TLS";
    }

    /// A certificate that cannot be stored is used nevertheless, and stored later.
    private void store(Managed managed, HeldCertificate held) {
        try {
            storage.store(held);
            managed.isStored = true;
        } catch (IOException e) {
            managed.isStored = false;
            Log.LOG.log(
                    Level.ERROR,
                    managed.name + ": its certificate cannot be stored, tried again later: " + e);
        }
    }

    private void use(Managed managed, HeldCertificate held) {
        managed.held = held;
        managed.failures = Failures.NONE;
        managed.renewAt = Renewal.due(held.leaf().getNotBefore().toInstant(), held.expiry());
    }

    private void failed(Managed managed, Exception e, @Nullable Instant retryAfter) {
        managed.failures = managed.failures.withOrder(retryAfter != null);
        Instant now = clock.instant();
        managed.due = new Plan(now, Renewal.retry(now, managed.failures.orders(), retryAfter));
        HeldCertificate held = managed.held;
        String state =
                held == null || !isValid(held, now)
                        ? "there is none"
                        : "the one until " + held.expiry() + " stays in use";
        Log.LOG.log(
                Level.WARNING,
                managed.name
                        + ": no new certificate, "
                        + state
                        + "; tried again at "
                        + managed.due.at()
                        + ": "
                        + e.getMessage());
        failures.increment();
    }

    private void forget(Managed managed) {
        all.remove(managed.name);
        Log.LOG.log(Level.INFO, managed.name + ": no longer permitted, its certificate is removed");
        deleteStored(managed.name);
        changed.run();
    }
}
