package dev.tandem.config;

import dev.tandem.acme.AcmeSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// `[listen.tls.acme]`.
final class AcmeKeys {
    /// Authorities that have a name.
    private static final Map<String, URI> NAMED =
            Map.of(
                    "letsencrypt", AcmeSettings.LETS_ENCRYPT,
                    "letsencrypt-staging", AcmeSettings.LETS_ENCRYPT_STAGING);

    private static final ValueType<URI> URL =
            ValueType.text("a URL such as https://example.org/x", URI::create, URI::toString);

    private static final ValueType<URI> AUTHORITY =
            ValueType.text(
                    "\"letsencrypt\", \"letsencrypt-staging\" or the https URL of a directory",
                    AcmeKeys::authority,
                    AcmeKeys::written);

    static final Section<AcmeSettings> SECTION =
            Section.of(
                            AcmeSettings.of(Path.of("")),
                            List.of(
                                    new Key<>(
                                            "names",
                                            ValueTypes.TEXTS,
                                            "The host names; each gets a certificate of its own.",
                                            AcmeSettings::names,
                                            AcmeSettings::withNames),
                                    new Key<>(
                                            "storage",
                                            ValueTypes.PATH,
                                            "A folder that keeps the account's key, and keys with"
                                                    + " certificates.",
                                            AcmeSettings::storage,
                                            AcmeSettings::withStorage),
                                    new Key<>(
                                            "authority",
                                            AUTHORITY,
                                            "The authority, whose terms of service you agree to;"
                                                    + " letsencrypt-staging is for a first test.",
                                            AcmeSettings::directory,
                                            AcmeSettings::withDirectory),
                                    new Key<>(
                                            "email",
                                            ValueTypes.TEXT,
                                            "Where the authority sends warnings.",
                                            AcmeSettings::email,
                                            AcmeSettings::withEmail),
                                    new Key<>(
                                            "proof",
                                            ValueTypes.choice(AcmeSettings.Proof.class),
                                            "How names are proved: by TLS on port 443, by HTTP on"
                                                    + " port 80, or any.",
                                            AcmeSettings::proof,
                                            AcmeSettings::withProof),
                                    new Key<>(
                                            "profile",
                                            ValueTypes.TEXT,
                                            "A kind of certificate that the authority offers, such"
                                                    + " as shortlived.",
                                            AcmeSettings::profile,
                                            AcmeSettings::withProfile),
                                    new Key<AcmeSettings, Path>(
                                            "roots",
                                            ValueTypes.FILE,
                                            "A PEM file with the roots of a private authority's"
                                                    + " own certificate.",
                                            AcmeSettings::roots,
                                            AcmeSettings::withRoots),
                                    new Key<AcmeSettings, URI>(
                                            "permission",
                                            URL,
                                            "Names on demand: a URL that responds to ?domain=NAME"
                                                    + " with 200 if it may have a certificate.",
                                            AcmeSettings::permission,
                                            AcmeSettings::withPermission)))
                    .requiring("storage")
                    .checkedBy(AcmeSettings::check);

    private AcmeKeys() {}

    private static URI authority(String text) {
        URI named = NAMED.get(text);
        URI directory = named == null ? URI.create(text) : named;
        if (!"https".equals(directory.getScheme())) {
            throw new IllegalArgumentException();
        }
        return directory;
    }

    private static String written(URI directory) {
        return NAMED.entrySet().stream()
                .filter(each -> each.getValue().equals(directory))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(directory.toString());
    }
}
