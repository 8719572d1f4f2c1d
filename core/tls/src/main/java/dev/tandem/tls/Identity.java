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
import java.security.cert.Certificate;
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
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A server certificate with its key.
///
/// @param files the location from which it was read
/// @param chain the server's certificate first
/// @param names the DNS names of the certificate, in lower case, with wildcards
/// @param ocsp the OCSP response to staple, or null
record Identity(
        CertificateFiles files,
        List<X509Certificate> chain,
        PrivateKey key,
        Set<String> names,
        byte @Nullable [] ocsp) {

    private static final int DNS_NAME = 2;

    /// Reads and validates a certificate; not that the key is its ([#checkPair]), nor that it is
    /// valid now ([#invalidity]).
    ///
    /// @throws TlsConfigException with the file and the reason
    static Identity load(CertificateFiles files) throws TlsConfigException {
        Identity identity = read(files);
        identity.checkOrder();
        return identity;
    }

    private static Identity read(CertificateFiles files) throws TlsConfigException {
        CertificateFiles.Source source = files.source();
        Path keyFile = files.key();
        if (source != null) {
            return ofSource(files, source);
        }
        return keyFile == null
                ? ofStore(files)
                : of(files, Pem.certificates(files.chain()), Pem.key(keyFile, files.password()));
    }

    private static Identity ofSource(CertificateFiles files, CertificateFiles.Source source)
            throws TlsConfigException {
        try {
            KeyStore.PrivateKeyEntry entry = source.read();
            return of(files, chain(entry.getCertificateChain()), entry.getPrivateKey());
        } catch (GeneralSecurityException | IOException e) {
            throw TlsConfigException.of(
                    files.chain(),
                    "cannot be used: " + Objects.toString(e.getMessage(), "" + e),
                    e);
        }
    }

    private static List<X509Certificate> chain(Certificate[] certificates) {
        return Arrays.stream(certificates).map(X509Certificate.class::cast).toList();
    }

    private static Identity of(CertificateFiles files, List<X509Certificate> chain, PrivateKey key)
            throws TlsConfigException {
        byte[] ocsp = files.ocsp() == null ? null : Pem.bytes(files.ocsp());
        return new Identity(files, chain, key, names(chain.getFirst()), ocsp);
    }

    private static Identity ofStore(CertificateFiles files) throws TlsConfigException {
        char[] password = files.password().toCharArray();
        byte[] bytes = Pem.bytes(files.chain());
        try {
            var store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(bytes), password);
            for (String alias : Collections.list(store.aliases())) {
                if (store.getKey(alias, password) instanceof PrivateKey key) {
                    return of(files, chain(store.getCertificateChain(alias)), key);
                }
            }
        } catch (GeneralSecurityException | IOException e) {
            boolean isPassword = e.getCause() instanceof UnrecoverableKeyException;
            String reason =
                    isPassword
                            ? "the password is wrong"
                            : "is not a readable PKCS#12 file: " + e.getMessage();
            throw TlsConfigException.of(files.chain(), reason, e);
        }
        throw TlsConfigException.of(files.chain(), "has no private key");
    }

    /// Returns the size of the key's curve, for TLS 1.2 cipher suites and the choice by curve; 0 if
    /// the key is not an elliptic-curve key.
    int curveBits() {
        return key instanceof ECKey ec ? ec.getParams().getCurve().getField().getFieldSize() : 0;
    }

    /// Returns why clients reject the certificate at this time; null if it is valid.
    @Nullable String invalidity(Instant now) {
        Instant begin = chain.getFirst().getNotBefore().toInstant();
        Instant end = chain.getFirst().getNotAfter().toInstant();
        if (now.isAfter(end)) {
            return files.chain() + ": the certificate expired at " + end;
        }
        return now.isBefore(begin)
                ? files.chain() + ": the certificate is not valid before " + begin
                : null;
    }

    private void checkOrder() throws TlsConfigException {
        for (int i = 1; i < chain.size(); i++) {
            if (!chain.get(i - 1)
                    .getIssuerX500Principal()
                    .equals(chain.get(i).getSubjectX500Principal())) {
                throw TlsConfigException.of(
                        files.chain(),
                        "certificate "
                                + (i + 1)
                                + " did not issue the one before it; put them in order");
            }
        }
    }

    /// Checks with a signature that the key is the certificate's. Expensive at start, and BoringSSL
    /// does it itself.
    ///
    /// @throws TlsConfigException if it is not
    void checkPair() throws TlsConfigException {
        if (!isPair(chain.getFirst().getPublicKey())) {
            throw mismatch();
        }
    }

    TlsConfigException mismatch() {
        Path keyFile = files.key() == null ? files.chain() : files.key();
        return TlsConfigException.of(
                keyFile, "the key does not match the certificate in " + files.chain());
    }

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
            throw new TlsConfigException(
                    "a certificate's names are malformed: " + e.getMessage(), e);
        }
        return Set.copyOf(names);
    }
}
