package dev.tandem.filters;

import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.http.PathParameters;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Requires a name and a password for some paths (Basic authentication, RFC 7617). Over plain HTTP
/// anyone on the network path can read both: use it over TLS. Thread safe.
///
/// Hashing a password is slow by design. So credentials that were verified are cached for a minute,
/// and a page with thirty pictures costs one hash. Wrong credentials are hashed each time, on at
/// most half of the processors at once; up to sixteen further requests wait. A request gets 503 if
/// it has waited for five seconds, or at once if sixteen wait already.
///
/// Handlers behind this filter find the user's name in the attribute [#USER].
public final class BasicAuth implements Filter {
    private static final Pattern UNUSABLE =
            Pattern.compile("%\\p{XDigit}{2}|//|/\\.\\.?(?:/|$)|[;\\\\]|\\p{Cntrl}");

    /// The attribute that holds the user's name.
    public static final String USER = "user";

    /// Longer than any credentials in use; a longer `Authorization` is rejected without decoding.
    private static final int CREDENTIALS_MAX = 1_024;

    private static final String SCHEME = "Basic ";

    private final String challenge;
    private final Users users;
    private final List<String> paths;
    private final VerifiedCredentials verified;
    private final HashingLimit hashing;

    private BasicAuth(
            String challenge,
            Users users,
            List<String> paths,
            VerifiedCredentials verified,
            HashingLimit hashing) {
        this.challenge = challenge;
        this.users = users;
        this.paths = List.copyOf(paths);
        this.verified = verified;
        this.hashing = hashing;
    }

    /// Returns a filter that protects all paths.
    ///
    /// @param realm name that browsers show to their users; without quotes and backslashes
    /// @throws IllegalArgumentException if the realm contains one of these
    public static BasicAuth of(String realm, Users users) {
        return of(realm, users, HashingLimit.forThisMachine());
    }

    static BasicAuth of(String realm, Users users, HashingLimit hashing) {
        boolean isPlain =
                realm.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != '"' && c != '\\');
        if (!isPlain) {
            throw new IllegalArgumentException(
                    "a realm must be ASCII without quotes and backslashes, was '" + realm + "'");
        }
        String challenge = "Basic realm=\"" + realm + "\", charset=\"UTF-8\"";
        var verified = new VerifiedCredentials(System::nanoTime);
        return new BasicAuth(challenge, users, List.of("/"), verified, hashing);
    }

    /// Returns a filter that protects only the given paths and everything below them. `/private`
    /// covers `/private` and `/private/a`, but not `/privateer`. Other paths cost nothing extra.
    /// A path whose form without parameters is protected is, too: `/private;x` is `/private` for
    /// servlet containers.
    ///
    /// @throws IllegalArgumentException as [#checkPaths(List)] does
    public BasicAuth under(List<String> paths) {
        checkPaths(paths);
        return new BasicAuth(challenge, users, paths, verified, hashing);
    }

    /// Rejects paths to protect that look like patterns or like targets of requests, or cannot be
    /// the begin of a decoded path: they would silently protect nothing.
    ///
    /// @throws IllegalArgumentException if a path does not begin with a slash, ends with a star,
    ///     has an empty segment before its end, a dot segment or one that is a star, or contains a
    ///     percent code, a semicolon, a backslash or a control character
    private static void checkPaths(List<String> paths) {
        for (String path : paths) {
            if (!path.startsWith("/")) {
                throw new IllegalArgumentException(
                        "a path must begin with a slash, one was '" + path + "'");
            }
            if (path.endsWith("*") || path.contains("/*/")) {
                throw new IllegalArgumentException(
                        "'"
                                + path
                                + "' protects nothing: write a folder without a star, such as"
                                + " /admin, which includes everything below");
            }
            if (UNUSABLE.matcher(path).find()) {
                throw new IllegalArgumentException(
                        "'"
                                + path
                                + "' protects nothing: it must be a decoded path, without percent"
                                + " codes, empty and dot segments, ; \\ and control characters");
            }
        }
    }

    @Override
    public void apply(Exchange x, Handler next) throws Exception {
        if (!isProtected(x.path())) {
            next.handle(x);
            return;
        }
        String user = user(x.header("Authorization"));
        if (user == null) {
            x.header("WWW-Authenticate", challenge);
            throw new HttpException(401, "a name and a password are required");
        }
        x.attribute(USER, user);
        next.handle(x);
    }

    private boolean isProtected(String path) {
        String plain = PathParameters.removed(path);
        return isBelow(path) || !plain.equals(path) && isBelow(plain);
    }

    private boolean isBelow(String path) {
        for (int i = 0; i < paths.size(); i++) {
            String prefix = paths.get(i);
            int length = prefix.endsWith("/") ? prefix.length() - 1 : prefix.length();
            boolean isBelow = path.length() == length || path.startsWith("/", length);
            if (path.regionMatches(0, prefix, 0, length) && isBelow) {
                return true;
            }
        }
        return false;
    }

    /// Returns the authenticated user's name, or null.
    private @Nullable String user(@Nullable String authorization) {
        if (authorization == null
                || authorization.length() > CREDENTIALS_MAX
                || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        String known = verified.user(authorization);
        return known == null ? verify(authorization) : known;
    }

    private @Nullable String verify(String authorization) {
        String credentials = decoded(authorization.substring(SCHEME.length()).strip());
        int colon = credentials == null ? -1 : credentials.indexOf(':');
        if (credentials == null || colon < 0 || credentials.indexOf(0) >= 0) {
            return null;
        }
        hashing.acquire();
        try {
            // Another request with the same credentials may have been verified in the meantime.
            String known = verified.user(authorization);
            if (known != null) {
                return known;
            }
            String name = credentials.substring(0, colon);
            if (!users.isPasswordCorrect(name, credentials.substring(colon + 1))) {
                return null;
            }
            verified.put(authorization, name);
            return name;
        } finally {
            hashing.release();
        }
    }

    private static @Nullable String decoded(String base64) {
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (IllegalArgumentException | CharacterCodingException _) {
            return null;
        }
    }

    @Override
    public boolean isFor(String path, String pattern) {
        return isProtected(path);
    }

    /// Blocking: hashing must not run on an event loop.
    @Override
    public Handler wrap(Handler handler) {
        return x -> apply(x, handler);
    }
}
