package dev.tandem.tls;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// All certificates as loaded at one time, each with its engine factory. Immutable; a reload
/// creates a new instance, and existing sessions keep the one they started with.
final class LoadedCertificates {
    /// A certificate with its engine factory.
    ///
    /// @param isValid whether it was when it was loaded
    /// @param engines closed when the enclosing instance is no longer reachable
    record ServedCertificate(Identity identity, boolean isValid, TlsEngineFactory engines) {}

    private static final List<String> PROOF_ONLY = List.of(CertificateSource.PROOF_PROTOCOL);

    private final TlsSettings settings;
    private final List<ServedCertificate> all;
    private final List<ServedCertificate> proofs;

    /// Those of `all` by each of their names: the valid ones, or others if no valid one has the
    /// name.
    private final Map<String, List<ServedCertificate>> byName;

    private LoadedCertificates(
            TlsSettings settings, List<ServedCertificate> all, List<ServedCertificate> proofs) {
        this.settings = settings;
        this.all = all;
        this.proofs = proofs;
        this.byName = byName(all);
    }

    /// @param all the valid ones first
    private static Map<String, List<ServedCertificate>> byName(List<ServedCertificate> all) {
        var named = new HashMap<String, List<ServedCertificate>>();
        for (ServedCertificate each : all) {
            for (String name : each.identity().names()) {
                boolean isHidden =
                        !each.isValid()
                                && (hasValid(named, name) || hasValid(named, wildcard(name)));
                if (!isHidden) {
                    named.computeIfAbsent(name, _ -> new ArrayList<>()).add(each);
                }
            }
        }
        return Map.copyOf(named);
    }

    private static boolean hasValid(Map<String, List<ServedCertificate>> named, String name) {
        return named.getOrDefault(name, List.of()).stream().anyMatch(ServedCertificate::isValid);
    }

    /// Loads those, too, that are not valid at this time: else one of them would keep the others
    /// from being renewed. They go behind the others, and are used where no other has the name.
    ///
    /// @throws TlsConfigException if a file cannot be used; no resource is left open
    static LoadedCertificates load(TlsSettings settings, ChosenEngine engine, Instant now)
            throws TlsConfigException {
        CertificateSource source = settings.source();
        List<Identity> identities = identities(settings.certificates());
        identities.addAll(identities(source.certificates()));
        identities.sort(Comparator.comparing(identity -> identity.invalidity(now) != null));
        List<Identity> proofs = identities(source.proofs());
        if (identities.isEmpty()) {
            throw new TlsConfigException("TLS needs a certificate, and there is none", null);
        }
        List<X509Certificate> roots = settings.readClientRoots();
        var opened = new ArrayList<ServedCertificate>();
        try {
            for (Identity identity : identities) {
                var of = EngineSettings.of(identity, roots, settings);
                opened.add(open(identity, of, engine, now));
            }
            for (Identity proof : proofs) {
                opened.add(open(proof, EngineSettings.ofProof(proof, settings), engine, now));
            }
        } catch (TlsConfigException e) {
            opened.forEach(s -> s.engines().close());
            throw e;
        }
        int count = identities.size();
        return new LoadedCertificates(
                settings,
                List.copyOf(opened.subList(0, count)),
                List.copyOf(opened.subList(count, opened.size())));
    }

    private static List<Identity> identities(List<CertificateFiles> all) throws TlsConfigException {
        var identities = new ArrayList<Identity>();
        for (CertificateFiles files : all) {
            identities.add(Identity.load(files));
        }
        return identities;
    }

    private static ServedCertificate open(
            Identity identity, EngineSettings settings, ChosenEngine engine, Instant now)
            throws TlsConfigException {
        try {
            if (engine.isJdk()) {
                identity.checkPair();
            }
            boolean isValid = identity.invalidity(now) == null;
            return new ServedCertificate(identity, isValid, engine.open(settings));
        } catch (KeyMismatchException e) {
            throw identity.mismatch();
        } catch (GeneralSecurityException | SSLException | IllegalArgumentException e) {
            throw TlsConfigException.of(
                    identity.files().chain(), "the engine does not take it: " + e.getMessage(), e);
        }
    }

    TlsSettings settings() {
        return settings;
    }

    /// Returns those whose sessions clients may resume.
    List<ServedCertificate> all() {
        return all;
    }

    /// Returns all whose engines must be closed.
    List<ServedCertificate> opened() {
        return Stream.concat(all.stream(), proofs.stream()).toList();
    }

    /// Returns whether a client checks a name for an authority, and wants nothing else.
    static boolean isProofRequested(ClientHello hello) {
        return hello.applicationProtocols().equals(PROOF_ONLY);
    }

    /// Returns the certificate that proves a name; null if there is none.
    @Nullable ServedCertificate proof(ClientHello hello) {
        return proofs.stream()
                .filter(s -> s.identity().names().contains(hello.serverName()))
                .findFirst()
                .orElse(null);
    }

    /// Releases the off-heap memory. Called when no more engines can be created.
    static void close(List<ServedCertificate> all) {
        all.forEach(served -> served.engines().close());
    }

    /// Returns the application protocol for a ClientHello: null if the server supports none of
    /// those offered, empty if none are offered or the server does not negotiate.
    @Nullable String protocol(ClientHello hello) {
        if (settings.applicationProtocols().isEmpty() || hello.applicationProtocols().isEmpty()) {
            return "";
        }
        Optional<String> best =
                settings.applicationProtocols().stream()
                        .filter(hello.applicationProtocols()::contains)
                        .findFirst();
        return best.orElse(null);
    }

    boolean hasSharedVersion(ClientHello hello) {
        return hello.isTls13() && settings.versions().contains(TlsVersion.TLS_1_3)
                || hello.isTls12() && settings.versions().contains(TlsVersion.TLS_1_2);
    }

    /// Returns the certificate for a ClientHello; null if its host name is unknown and unknown
    /// names are rejected.
    @Nullable ServedCertificate choose(ClientHello hello) {
        List<ServedCertificate> named = named(hello.serverName());
        if (!named.isEmpty()) {
            return best(named, hello);
        }
        if (!hello.serverName().isEmpty()) {
            settings.source().nameRequested(hello.serverName());
        }
        boolean isRejected = settings.areUnknownNamesRejected() && !hello.serverName().isEmpty();
        return isRejected ? null : best(withNamesOf(all.getFirst()), hello);
    }

    private List<ServedCertificate> named(String name) {
        List<ServedCertificate> exact = withName(name);
        return exact.isEmpty() ? withName(wildcard(name)) : exact;
    }

    /// Returns the wildcard that includes a name; empty if there is none.
    private static String wildcard(String name) {
        int dot = name.indexOf('.');
        return dot > 0 ? "*" + name.substring(dot) : "";
    }

    private List<ServedCertificate> withName(String name) {
        return byName.getOrDefault(name, List.of());
    }

    private List<ServedCertificate> withNamesOf(ServedCertificate first) {
        return all.stream()
                .filter(s -> s.isValid() == first.isValid())
                .filter(s -> s.identity().names().equals(first.identity().names()))
                .toList();
    }

    /// Returns an ECDSA certificate that the client accepts, else the first RSA certificate, else
    /// the first.
    private static ServedCertificate best(List<ServedCertificate> some, ClientHello hello) {
        ServedCertificate rsa = null;
        for (ServedCertificate served : some) {
            int curve = served.identity().curveBits();
            if (curve > 0 && hello.takesEcdsa(curve)) {
                return served;
            }
            rsa = rsa == null && curve == 0 ? served : rsa;
        }
        return rsa == null ? some.getFirst() : rsa;
    }
}
