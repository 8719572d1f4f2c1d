package dev.tandem.acme;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Which certificates are ordered, from which authority, and where they are kept. Immutable. Using
/// an authority means agreeing to its terms of service, whose address is logged.
///
/// @param names the host names, each of which gets a certificate of its own; at most 100. No
///     wildcards, which only DNS can prove
/// @param storage a folder for the account's key, and for certificates with their keys. It is
///     created if it is missing, for its owner only
/// @param directory the authority's directory (RFC 8555, section 7.1.1); default Let's Encrypt
/// @param email where the authority sends warnings; empty, the default, for none
/// @param proof how names are proved; default `ANY`
/// @param profile a kind of certificate that the authority offers, such as `shortlived`; empty, the
///     default, for its usual kind
/// @param roots a PEM file with the roots of a private authority's own certificate; null, the
///     default, for those of the JDK
/// @param permission whether a name that is not in `names`, and that a client requests, gets a
///     certificate is asked here: `GET PERMISSION?domain=NAME` allows it by status 200. Null, the
///     default: only `names` get one
public record AcmeSettings(
        List<String> names,
        Path storage,
        URI directory,
        String email,
        Proof proof,
        String profile,
        @Nullable Path roots,
        @Nullable URI permission)
        implements AcmeSettingsWith {

    /// Let's Encrypt.
    public static final URI LETS_ENCRYPT =
            URI.create("https://acme-v02.api.letsencrypt.org/directory");

    /// Let's Encrypt's authority for tests: its certificates are not trusted, and its limits are
    /// high. To be used first.
    public static final URI LETS_ENCRYPT_STAGING =
            URI.create("https://acme-staging-v02.api.letsencrypt.org/directory");

    /// 100: more is a service for others, whose names are on demand.
    private static final int NAMES_MAX = 100;

    /// RFC 1035, section 2.3.4.
    private static final int NAME_LENGTH_MAX = 253;

    private static final Pattern NAME =
            Pattern.compile(
                    "([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?");

    /// How this server proves to the authority that it has a name.
    public enum Proof {
        /// By TLS, and if that fails by HTTP. For an hour after both failed, by each in turn.
        ANY,
        /// By a TLS connection to port 443 (TLS-ALPN-01, RFC 8737).
        TLS_ALPN_01,
        /// By an HTTP request to port 80 (RFC 8555, section 8.3).
        HTTP_01
    }

    /// @throws IllegalArgumentException if a value cannot be used; names it
    public AcmeSettings {
        names = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).distinct().toList();
        if (names.size() > NAMES_MAX) {
            throw new IllegalArgumentException(
                    "names has " + names.size() + " names, more than " + NAMES_MAX);
        }
        names.forEach(AcmeSettings::check);
        requireHttp("directory", directory);
        if (permission != null) {
            requireHttp("permission", permission);
        }
    }

    /// Returns settings for certificates of Let's Encrypt.
    public static AcmeSettings of(Path storage, String... names) {
        return new AcmeSettings(
                List.of(names), storage, LETS_ENCRYPT, "", Proof.ANY, "", null, null);
    }

    /// Checks what each value alone does not show; [AcmeCertificates#open] does, too.
    ///
    /// @throws IllegalArgumentException if there is neither a name nor a permission
    public void check() {
        if (names.isEmpty() && permission == null) {
            throw new IllegalArgumentException("names is empty, and there is no permission");
        }
    }

    private static void check(String name) {
        if (name.startsWith("*.")) {
            throw new IllegalArgumentException(
                    "'"
                            + name
                            + "' is a wildcard, which only DNS can prove (DNS-01): order it with"
                            + " another program, and name its files in [[listen.tls.certificate]]");
        }
        if (!isHostName(name)) {
            throw new IllegalArgumentException(
                    "'" + name + "' is not a public host name, such as www.example.org");
        }
    }

    /// Returns whether an authority may have a certificate for a name, which is also safe as the
    /// name of a folder.
    ///
    /// @param name in lower case
    static boolean isHostName(String name) {
        return name.length() <= NAME_LENGTH_MAX && NAME.matcher(name).matches();
    }

    private static void requireHttp(String key, URI value) {
        boolean isHttp = "https".equals(value.getScheme()) || "http".equals(value.getScheme());
        if (!isHttp || value.getHost() == null) {
            throw new IllegalArgumentException(
                    key + " must be an http or https URL, was '" + value + "'");
        }
    }
}
