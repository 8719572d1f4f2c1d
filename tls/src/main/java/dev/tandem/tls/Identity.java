package dev.tandem.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A certificate that can be served, with its key.
///
/// @param source where it came from
/// @param chain the server's certificate first
/// @param names the DNS names of the certificate, in lower case, with wildcards
/// @param ocsp the answer to be stapled, or null
record Identity(
        CertificateSource source,
        List<X509Certificate> chain,
        PrivateKey key,
        Set<String> names,
        byte @Nullable [] ocsp) {

    private static final int DNS_NAME = 2;

    /// Reads and checks it.
    ///
    /// @throws TlsConfigException with the file and the reason
    static Identity load(CertificateSource source, Instant now) throws TlsConfigException {
        Identity identity =
                switch (source) {
                    case CertificateFiles files -> ofFiles(files);
                    case CertificateStore store -> ofStore(store);
                };
        identity.check(now);
        return identity;
    }

    private static Identity ofFiles(CertificateFiles files) throws TlsConfigException {
        Path key = files.key();
        return key == null
                ? ofPkcs12(files)
                : of(files, Pem.certificates(files.chain()), Pem.key(key, files.password()));
    }

    private static Identity of(
            CertificateSource source, List<X509Certificate> chain, PrivateKey key)
            throws TlsConfigException {
        Path file = source.ocsp();
        byte[] ocsp = file == null ? null : Pem.bytes(file);
        return new Identity(source, chain, key, names(chain.getFirst()), ocsp);
    }

    private static Identity ofPkcs12(CertificateFiles files) throws TlsConfigException {
        char[] password = files.password().toCharArray();
        byte[] bytes = Pem.bytes(files.chain());
        try {
            var store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(bytes), password);
            return ofKey(files, store, "", password);
        } catch (GeneralSecurityException | IOException e) {
            boolean isPassword = e.getCause() instanceof UnrecoverableKeyException;
            String reason =
                    isPassword
                            ? "the password is wrong"
                            : "is no PKCS#12 file that can be read: " + e.getMessage();
            throw TlsConfigException.of(files.chain(), reason, e);
        }
    }

    private static Identity ofStore(CertificateStore source) throws TlsConfigException {
        char[] password = source.password().toCharArray();
        try {
            return ofKey(source, source.store(), source.alias(), password);
        } catch (UnrecoverableKeyException e) {
            throw TlsConfigException.of(source.name(), "the key's password is wrong", e);
        } catch (GeneralSecurityException e) {
            throw TlsConfigException.of(source.name(), "cannot be read: " + e.getMessage(), e);
        }
    }

    /// @param alias empty for the first key
    private static Identity ofKey(
            CertificateSource source, KeyStore store, String alias, char[] password)
            throws GeneralSecurityException, TlsConfigException {
        for (String each : Collections.list(store.aliases())) {
            boolean isMeant = alias.isEmpty() || alias.equalsIgnoreCase(each);
            if (isMeant && store.getKey(each, password) instanceof PrivateKey key) {
                var chain =
                        Arrays.stream(store.getCertificateChain(each))
                                .map(X509Certificate.class::cast)
                                .toList();
                return of(source, chain, key);
            }
        }
        String which = alias.isEmpty() ? "" : " named " + alias;
        throw TlsConfigException.of(source.name(), "has no private key" + which, null);
    }

    /// For the TLS 1.2 suites and the choice by curve; 0 if the key is not elliptic.
    int curveBits() {
        return key instanceof ECKey ec ? ec.getParams().getCurve().getField().getFieldSize() : 0;
    }

    private void check(Instant now) throws TlsConfigException {
        X509Certificate leaf = chain.getFirst();
        if (now.isAfter(leaf.getNotAfter().toInstant())) {
            throw refusal("the certificate expired at " + leaf.getNotAfter().toInstant());
        }
        if (now.isBefore(leaf.getNotBefore().toInstant())) {
            throw refusal("the certificate is not valid before " + leaf.getNotBefore().toInstant());
        }
        if (!isPair(leaf.getPublicKey())) {
            Path keyFile = source instanceof CertificateFiles files ? files.key() : null;
            throw TlsConfigException.of(
                    keyFile == null ? source.name() : keyFile.toString(),
                    "the key is not the one of the certificate in " + source.name(),
                    null);
        }
        for (int i = 1; i < chain.size(); i++) {
            if (!chain.get(i - 1)
                    .getIssuerX500Principal()
                    .equals(chain.get(i).getSubjectX500Principal())) {
                throw refusal(
                        "certificate "
                                + (i + 1)
                                + " did not issue the one before it; put them in order");
            }
        }
    }

    private TlsConfigException refusal(String reason) {
        return TlsConfigException.of(source.name(), reason, null);
    }

    /// By a signature: what one makes the other must verify.
    private boolean isPair(PublicKey publicKey) {
        if (!publicKey.getAlgorithm().equals(key.getAlgorithm())) {
            return false;
        }
        String algorithm = curveBits() > 0 ? "SHA256withECDSA" : "SHA256withRSA";
        try {
            var signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(new byte[32]);
            byte[] signature = signer.sign();
            signer.initVerify(publicKey);
            signer.update(new byte[32]);
            return signer.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static Set<String> names(X509Certificate certificate) throws TlsConfigException {
        var names = new HashSet<String>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            for (List<?> name : alternatives == null ? Set.<List<?>>of() : alternatives) {
                if (name.get(0) instanceof Integer type && type == DNS_NAME) {
                    names.add(String.valueOf(name.get(1)).toLowerCase(Locale.ROOT));
                }
            }
        } catch (CertificateParsingException e) {
            throw new TlsConfigException("a certificate's names are broken: " + e.getMessage(), e);
        }
        return Set.copyOf(names);
    }
}
