package dev.tandem.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/// Reads private keys in the common formats. The JDK supports PKCS#8 (RFC 5958); the two older
/// formats are wrapped in it:
///
/// ```
///   SEQUENCE { INTEGER 0, SEQUENCE { algorithm, parameters }, OCTET STRING { the older format } }
/// ```
final class PrivateKeys {
    private static final String[] ALGORITHMS = {"EC", "RSA"};

    private static final byte[] VERSION_0 = {2, 1, 0};

    /// SEQUENCE { OID 1.2.840.113549.1.1.1, NULL }: RSA (RFC 8017, appendix C).
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");

    /// OID 1.2.840.10045.2.1: an elliptic-curve key, followed by its parameters, the curve (RFC
    /// 5480).
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    private static final int OID = 0x06;
    private static final int PARAMETERS = 0xa0;

    private PrivateKeys() {}

    /// @param password empty if there is none
    /// @throws GeneralSecurityException with a human-readable message
    static PrivateKey read(Pem.Block block, String password)
            throws GeneralSecurityException, IOException {
        if (block.text().contains("DEK-Info")) {
            throw new InvalidKeyException(
                    "it is encrypted in OpenSSL's old format; convert it with openssl pkcs8"
                            + " -topk8");
        }
        byte[] der = block.der();
        return switch (block.label()) {
            case "PRIVATE KEY" -> ofPkcs8(der);
            case "ENCRYPTED PRIVATE KEY" -> ofPkcs8(decrypted(der, password));
            case "RSA PRIVATE KEY" -> ofPkcs8(envelope(RSA, der));
            case "EC PRIVATE KEY" -> ofPkcs8(envelope(sequence(EC, curve(der)), der));
            default ->
                    throw new InvalidKeyException(
                            "keys in the format " + block.label() + " are not supported");
        };
    }

    private static PrivateKey ofPkcs8(byte[] der) throws GeneralSecurityException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(der));
            } catch (InvalidKeySpecException e) {
                // Not a key of this algorithm: the next one is tried.
            }
        }
        throw new InvalidKeyException("it is malformed, or neither an RSA nor an EC key");
    }

    private static byte[] decrypted(byte[] der, String password)
            throws GeneralSecurityException, IOException {
        if (password.isEmpty()) {
            throw new InvalidKeyException("it is encrypted and no password is given");
        }
        var encrypted = new EncryptedPrivateKeyInfo(der);
        // For PBES2 the parameters' string form names the algorithm.
        String name =
                encrypted.getAlgName().equals("PBES2")
                        ? encrypted.getAlgParameters().toString()
                        : encrypted.getAlgName();
        var spec = new PBEKeySpec(password.toCharArray());
        try {
            var key = SecretKeyFactory.getInstance(name).generateSecret(spec);
            var cipher = Cipher.getInstance(name);
            cipher.init(Cipher.DECRYPT_MODE, key, encrypted.getAlgParameters());
            return encrypted.getKeySpec(cipher).getEncoded();
        } catch (InvalidKeySpecException e) {
            throw new InvalidKeyException("the password is wrong", e);
        } finally {
            spec.clearPassword();
        }
    }

    private static byte[] envelope(byte[] algorithm, byte[] key) {
        return sequence(VERSION_0, algorithm, tagged(OCTET_STRING, key));
    }

    /// Returns the name of the curve in a SEC 1 key (RFC 5915): SEQUENCE { 1, OCTET STRING, [0] {
    /// OID }, … }.
    private static byte[] curve(byte[] key) throws InvalidKeyException {
        var inside = new DerReader(new DerReader(key).content(SEQUENCE));
        inside.content(0x02);
        inside.content(OCTET_STRING);
        if (!inside.isNext(PARAMETERS)) {
            throw new InvalidKeyException(
                    "it does not name its curve; convert it with openssl pkcs8 -topk8");
        }
        return tagged(OID, new DerReader(inside.content(PARAMETERS)).content(OID));
    }

    private static byte[] sequence(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return tagged(SEQUENCE, all.toByteArray());
    }

    private static byte[] tagged(int tag, byte[] content) {
        var out = new ByteArrayOutputStream(content.length + 4);
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else if (content.length < 0x100) {
            out.write(0x81);
            out.write(content.length);
        } else {
            out.write(0x82);
            out.write(content.length >> 8);
            out.write(content.length);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }
}
