package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.tls.CertificateFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Certificates with their keys, NAME.pem and NAME.key, signed by `ca`: `site` (localhost), `other`
/// (other.test), `client`; an OCSP response for `site`. Made by openssl; without it, tests are
/// skipped.
///
/// @param folder with the files
record TlsPapers(Path folder) {
    private static final int PATIENCE_SECONDS = 60;

    private static final String SCRIPT =
            """
            set -e
            key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out $1.key; }
            key ca
            openssl req -new -x509 -key ca.key -days 300 -subj /CN=ca -out ca.pem
            serial=7
            signed() {
                key $1
                openssl req -new -key $1.key -subj /CN=$1 -out $1.csr
                echo "subjectAltName=$2" > $1.ext
                openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca.key -set_serial $serial \
                    -days 300 -extfile $1.ext -out $1.pem
                serial=$((serial + 1))
            }
            signed site DNS:localhost,IP:127.0.0.1
            signed other DNS:other.test
            signed client DNS:client
            printf 'V\\t400101000000Z\\t\\t07\\tunknown\\t/CN=site\\n' > index.txt
            openssl ocsp -index index.txt -CA ca.pem -rsigner ca.pem -rkey ca.key -issuer ca.pem \
                -serial 7 -ndays 30 -no_nonce -respout site.ocsp
            """;

    static TlsPapers in(Path folder) throws Exception {
        Tool.openssl().needed();
        Path script = Files.writeString(folder.resolve("papers.sh"), SCRIPT);
        Process made =
                new ProcessBuilder("sh", script.toString())
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("papers.log").toFile())
                        .start();
        boolean hasEnded = made.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        String log = Files.readString(folder.resolve("papers.log"));
        assertEquals(0, hasEnded ? made.exitValue() : -1, log);
        return new TlsPapers(folder);
    }

    CertificateFiles pem(String name) {
        return CertificateFiles.pem(folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
    }
}
