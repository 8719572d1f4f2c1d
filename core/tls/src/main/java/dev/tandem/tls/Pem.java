package dev.tandem.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/// Reads PEM files (RFC 7468): text around and between the blocks is ignored.
final class Pem {
    /// 1 MiB: a file with all public roots has a quarter of that size.
    static final int SIZE_MAX = 1 << 20;

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

    /// One block.
    ///
    /// @param text the text between its delimiter lines, without white space
    record Block(String label, String text) {

        /// @throws IllegalArgumentException if it is not base64
        byte[] der() {
            return Base64.getDecoder().decode(text);
        }
    }

    private Pem() {}

    static byte[] bytes(Path file) throws TlsConfigException {
        try {
            long size = Files.size(file);
            if (size > SIZE_MAX) {
                throw TlsConfigException.of(
                        file, "has " + size + " bytes, more than the " + SIZE_MAX + " allowed");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw TlsConfigException.of(file, "no such file", e);
        } catch (IOException e) {
            throw TlsConfigException.of(file, "cannot be read: " + e, e);
        }
    }

    static List<Block> blocks(Path file) throws TlsConfigException {
        var text = new String(bytes(file), StandardCharsets.ISO_8859_1);
        var blocks = new ArrayList<Block>();
        var found = BLOCK.matcher(text);
        while (found.find()) {
            String inside = found.group(2);
            String bare = inside.contains("DEK-Info") ? inside : inside.replaceAll("\\s", "");
            blocks.add(new Block(found.group(1), bare));
        }
        return blocks;
    }

    /// Returns all certificates of the file, in order.
    ///
    /// @throws TlsConfigException if there is none, or one cannot be read
    static List<X509Certificate> certificates(Path file) throws TlsConfigException {
        var certificates = new ArrayList<X509Certificate>();
        for (Block block : blocks(file)) {
            if (block.label().equals("CERTIFICATE")) {
                certificates.add(certificate(file, block, certificates.size() + 1));
            }
        }
        if (certificates.isEmpty()) {
            throw TlsConfigException.of(
                    file, "has no certificate: there is no line -----BEGIN CERTIFICATE-----");
        }
        return certificates;
    }

    private static X509Certificate certificate(Path file, Block block, int number)
            throws TlsConfigException {
        try {
            var factory = CertificateFactory.getInstance("X.509");
            return (X509Certificate)
                    factory.generateCertificate(new ByteArrayInputStream(block.der()));
        } catch (CertificateException | IllegalArgumentException e) {
            throw TlsConfigException.of(
                    file, "certificate " + number + " is malformed: " + e.getMessage(), e);
        }
    }

    /// Returns the first private key of the file.
    ///
    /// @param password empty if there is none
    static PrivateKey key(Path file, String password) throws TlsConfigException {
        for (Block block : blocks(file)) {
            if (block.label().endsWith("PRIVATE KEY")) {
                try {
                    return PrivateKeys.read(block, password);
                } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
                    throw TlsConfigException.of(
                            file, "its key cannot be used: " + e.getMessage(), e);
                }
            }
        }
        throw TlsConfigException.of(
                file, "has no key: there is no line -----BEGIN PRIVATE KEY-----");
    }
}
