package dev.tandem.acme;

import dev.tandem.tls.TlsConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.OrderBuilder;
import org.shredzone.acme4j.PollableResource;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.RenewalInfo;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.Http01Challenge;
import org.shredzone.acme4j.challenge.TlsAlpn01Challenge;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.connector.Resource;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeLazyLoadingException;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;
import org.shredzone.acme4j.provider.GenericAcmeProvider;
import org.shredzone.acme4j.util.KeyPairUtils;

/// The conversation with an authority (RFC 8555), by acme4j. Blocks; used by one thread, for which
/// another one calls.
final class Authority {
    /// How long one request to the authority may take.
    private static final Duration REQUEST_MAX = Duration.ofSeconds(20);

    /// How long the authority may take to check a name, and to sign: Let's Encrypt needs seconds.
    private static final Duration STEP_MAX = Duration.ofSeconds(90);

    /// 10 minutes for all that one call here does, more than its steps may take together: a
    /// connection that breaks in the middle of a response is waited for without end otherwise.
    private static final Duration CALL_MAX = Duration.ofMinutes(10);

    /// How long a thread that was interrupted may take to end.
    private static final Duration END_MAX = Duration.ofSeconds(5);

    /// Of the keys that sign themselves: acme4j makes such certificates with RSA only. They live
    /// for minutes.
    static final int RSA_BITS = 2048;

    /// 100 ms, doubled until 3.2 s: how often it is asked about an order, unless it says.
    private static final Duration POLL_MIN = Duration.ofMillis(100);

    private static final Duration POLL_MAX = Duration.ofMillis(3_200);

    private final AcmeSettings settings;
    private final Storage storage;
    private final Proofs proofs;
    private final Runnable shown;
    private final Duration callMax;
    private final RetryWish wish = new RetryWish();
    private @Nullable Login login;

    /// @param shown called when `proofs` has certificates that clients must see, or no longer has
    Authority(AcmeSettings settings, Storage storage, Proofs proofs, Runnable shown) {
        this(settings, storage, proofs, shown, CALL_MAX);
    }

    Authority(
            AcmeSettings settings,
            Storage storage,
            Proofs proofs,
            Runnable shown,
            Duration callMax) {
        this.callMax = callMax;
        this.settings = settings;
        this.storage = storage;
        this.proofs = proofs;
        this.shown = shown;
    }

    /// Uses the roots of a private authority, if there are such, and bounds responses.
    private final class Provider extends GenericAcmeProvider {
        private final @Nullable SSLContext tls;

        Provider(@Nullable SSLContext tls) {
            this.tls = tls;
        }

        @Override
        public HttpClient createHttpClient(NetworkSettings network) {
            HttpClient.Builder client =
                    HttpClient.newBuilder()
                            .followRedirects(HttpClient.Redirect.NORMAL)
                            .connectTimeout(network.getTimeout())
                            .proxy(network.getProxySelector());
            return new AuthorityClient(
                    (tls == null ? client : client.sslContext(tls)).build(), wish);
        }
    }

    /// Orders a certificate and waits for it.
    ///
    /// @param replaced the certificate that it will replace, or null
    /// @param proof `TLS_ALPN_01` or `HTTP_01`
    /// @throws IOException if the account's key or the roots cannot be used; names the file
    HeldCertificate order(String name, @Nullable X509Certificate replaced, AcmeSettings.Proof proof)
            throws OrderFailedException, IOException, InterruptedException {
        return within(() -> ordered(name, replaced, proof));
    }

    @FunctionalInterface
    private interface Work<T> {
        T run() throws OrderFailedException, IOException, InterruptedException;
    }

    /// Calls the authority on a thread that is interrupted when it takes too long.
    private <T> T within(Work<T> work)
            throws OrderFailedException, IOException, InterruptedException {
        var task = new FutureTask<>(work::run);
        Thread thread = Thread.ofVirtual().name("tandem-acme-call").start(task);
        try {
            return task.get(callMax.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new OrderFailedException(
                    settings.directory() + ": no end within " + callMax, null, e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case OrderFailedException failed -> throw failed;
                case IOException failed -> throw failed;
                case null, default -> throw new IllegalStateException(e);
            }
        } finally {
            thread.interrupt();
            thread.join(END_MAX);
        }
    }

    private HeldCertificate ordered(
            String name, @Nullable X509Certificate replaced, AcmeSettings.Proof proof)
            throws OrderFailedException, IOException, InterruptedException {
        wish.clear();
        try {
            Login account = login();
            Order order = newOrder(account, name, replaced);
            for (Authorization authorization : order.getAuthorizations()) {
                if (authorization.getStatus() != Status.VALID) {
                    prove(name, authorization, proof);
                }
            }
            await(order, Status.READY);
            require(order.getStatus(), Status.READY, order.getError());
            KeyPair key = Storage.newKey();
            order.execute(key);
            await(order, Status.VALID);
            require(order.getStatus(), Status.VALID, order.getError());
            List<X509Certificate> chain = order.getCertificate().getCertificateChain();
            checkIssued(name, chain, key);
            return usable(new HeldCertificate(name, chain, key.getPrivate()));
        } catch (AcmeRateLimitedException e) {
            throw failed(
                    e, e.getRetryAfter().orElseGet(() -> Instant.now().plus(Renewal.PAUSE_MAX)));
        } catch (AcmeException | RuntimeException e) {
            login = null; // the authority may have lost the account
            throw failed(e, wish.at()); // unchecked ones: acme4j has them for malformed responses
        } finally {
            hide();
        }
    }

    /// Checks that a certificate is the one that was ordered. With one for another key, no
    /// certificate of the server could be loaded again.
    private static void checkIssued(String name, List<X509Certificate> chain, KeyPair key)
            throws OrderFailedException {
        String other = null;
        if (chain.isEmpty() || !isForName(chain.getFirst(), name)) {
            other = "name";
        } else if (!chain.getFirst().getPublicKey().equals(key.getPublic())) {
            other = "key";
        }
        if (other != null) {
            throw new OrderFailedException(
                    "the authority's certificate is for another " + other, null, null);
        }
    }

    /// Returns it as the server will read it. With one that it cannot read, such as a chain out of
    /// order, no certificate of the server could be loaded again.
    private static HeldCertificate usable(HeldCertificate held) throws OrderFailedException {
        try {
            held.files().read();
            return held;
        } catch (TlsConfigException e) {
            throw new OrderFailedException(
                    "the authority's certificate cannot be used: " + e.getMessage(), null, e);
        }
    }

    /// One without host names is left to clients, which accept it from no public authority.
    private static boolean isForName(X509Certificate leaf, String name) {
        try {
            Collection<List<?>> names = leaf.getSubjectAlternativeNames();
            return names == null
                    || names.stream()
                            .anyMatch(each -> name.equalsIgnoreCase(String.valueOf(each.get(1))));
        } catch (CertificateParsingException e) {
            return false;
        }
    }

    /// Names the certificate that is replaced (RFC 9773, section 5), which exempts the order from
    /// limits. An authority refuses that once and for all if it has issued another in its place,
    /// which was lost on the way, or to another account: then without.
    private Order newOrder(Login account, String name, @Nullable X509Certificate replaced)
            throws AcmeException {
        boolean hasRenewalInfo =
                account.getSession().resourceUrlOptional(Resource.RENEWAL_INFO).isPresent();
        if (replaced != null && hasRenewalInfo) {
            try {
                return orderOf(account, name).replaces(replaced).create();
            } catch (AcmeRateLimitedException e) {
                throw e;
            } catch (AcmeException | RuntimeException e) {
                if (hasNoReply(e) || wish.at() != null) {
                    throw e;
                }
                String why = name + ": ordered as a new certificate, not as a replacement: ";
                Log.LOG.log(Level.INFO, why + e.getMessage());
            }
        }
        return orderOf(account, name).create();
    }

    /// Returns whether the authority has not replied, so that it has refused nothing: the network
    /// failed, or this thread was interrupted, which acme4j does not leave to be seen otherwise.
    private static boolean hasNoReply(Exception e) {
        return e.getCause() instanceof IOException || e.getCause() instanceof InterruptedException;
    }

    private OrderBuilder orderOf(Login account, String name) {
        OrderBuilder order = account.newOrder().domain(name);
        return settings.profile().isEmpty() ? order : order.profile(settings.profile());
    }

    private void prove(String name, Authorization authorization, AcmeSettings.Proof proof)
            throws AcmeException, OrderFailedException, InterruptedException {
        Challenge challenge =
                proof == AcmeSettings.Proof.HTTP_01
                        ? showText(authorization)
                        : showCertificate(name, authorization);
        challenge.trigger();
        await(authorization, Status.VALID);
        challenge.fetch();
        require(authorization.getStatus(), Status.VALID, challenge.getError());
    }

    /// Asks until a resource has a state or failed: soon at first, then as often as the authority
    /// wants.
    private static void await(PollableResource resource, Status wanted)
            throws AcmeException, InterruptedException {
        Instant end = Instant.now().plus(STEP_MAX);
        Duration delay = POLL_MIN;
        Optional<Instant> next = resource.fetch();
        while (resource.getStatus() != wanted
                && resource.getStatus() != Status.INVALID
                && Instant.now().isBefore(end)) {
            Instant now = Instant.now();
            Instant soonest = now.plus(POLL_MIN); // also where the authority says at once
            Instant at = next.orElse(now.plus(delay));
            Thread.sleep(Duration.between(now, at.isBefore(soonest) ? soonest : at));
            delay = delay.compareTo(POLL_MAX) < 0 ? delay.multipliedBy(2) : POLL_MAX;
            next = resource.fetch();
        }
    }

    private Challenge showText(Authorization authorization) throws OrderFailedException {
        Http01Challenge challenge =
                authorization
                        .findChallenge(Http01Challenge.class)
                        .orElseThrow(() -> notOffered("HTTP-01"));
        proofs.add(challenge.getToken(), challenge.getAuthorization());
        return challenge;
    }

    private Challenge showCertificate(String name, Authorization authorization)
            throws OrderFailedException {
        TlsAlpn01Challenge challenge =
                authorization
                        .findChallenge(TlsAlpn01Challenge.class)
                        .orElseThrow(() -> notOffered("TLS-ALPN-01"));
        KeyPair key = KeyPairUtils.createKeyPair(RSA_BITS);
        X509Certificate certificate =
                challenge.createCertificate(key, authorization.getIdentifier());
        proofs.add(new HeldCertificate(name, List.of(certificate), key.getPrivate()));
        shown.run();
        return challenge;
    }

    private void hide() {
        boolean wereShown = proofs.hasCertificates();
        proofs.clear();
        if (wereShown) {
            shown.run();
        }
    }

    /// Returns when the authority wants a certificate to be renewed (ARI, RFC 9773): at a random
    /// time in its window. Empty if it does not say.
    Optional<Instant> renewal(X509Certificate certificate)
            throws OrderFailedException, IOException, InterruptedException {
        return within(() -> renewalOf(certificate));
    }

    private Optional<Instant> renewalOf(X509Certificate certificate)
            throws OrderFailedException, IOException {
        try {
            Login account = login();
            if (account.getSession().resourceUrlOptional(Resource.RENEWAL_INFO).isEmpty()) {
                return Optional.empty();
            }
            RenewalInfo info = account.bindRenewalInfo(certificate);
            info.fetch();
            return Optional.of(
                    info.getRandomProposal(Duration.ZERO).orElse(info.getSuggestedWindowStart()));
        } catch (AcmeException | RuntimeException e) {
            throw failed(e, null);
        }
    }

    /// Registers the account, or finds it by its key.
    private Login login() throws AcmeException, IOException {
        Login known = login;
        if (known != null) {
            return known;
        }
        var session = new Session(settings.directory(), new Provider(trust(settings.roots())));
        session.networkSettings().setTimeout(REQUEST_MAX);
        session.networkSettings().setCompressionEnabled(false);
        var account = new AccountBuilder().agreeToTermsOfService().useKeyPair(storage.account());
        if (!settings.email().isEmpty()) {
            account.addEmail(settings.email());
        }
        session.getMetadata()
                .getTermsOfService()
                .ifPresent(
                        terms ->
                                Log.LOG.log(
                                        Level.INFO,
                                        "certificates are under the terms of " + terms));
        known = account.createLogin(session);
        login = known;
        return known;
    }

    private static @Nullable SSLContext trust(@Nullable Path roots) throws IOException {
        if (roots == null) {
            return null;
        }
        try (InputStream in = Files.newInputStream(roots)) {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate root :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("root" + store.size(), root);
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(roots + ": has no usable certificates: " + e.getMessage(), e);
        }
    }

    private static void require(Status status, Status wanted, Optional<Problem> problem)
            throws OrderFailedException {
        if (status != wanted) {
            throw new OrderFailedException(
                    problem.map(Authority::describe)
                            .orElse("the authority has not finished: the order is " + status),
                    null,
                    null);
        }
    }

    private static String describe(Problem problem) {
        String parts =
                problem.getSubProblems().stream()
                        .map(Authority::describe)
                        .collect(Collectors.joining("; "));
        return problem.getDetail().orElse(problem.toString())
                + (parts.isEmpty() ? "" : ": " + parts);
    }

    private static OrderFailedException notOffered(String type) {
        return new OrderFailedException("the authority does not offer " + type, null, null);
    }

    private OrderFailedException failed(Exception e, @Nullable Instant retryAfter) {
        // What acme4j loads late, such as the chain, fails with another exception as the cause.
        Throwable failure =
                e instanceof AcmeLazyLoadingException late && late.getCause() != null
                        ? late.getCause()
                        : e;
        Throwable cause = failure.getCause();
        String reason = cause == null ? String.valueOf(failure.getMessage()) : cause.toString();
        return new OrderFailedException(settings.directory() + ": " + reason, retryAfter, e);
    }
}
