package dev.tandem.filters;

import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lets in who has a name and a password (RFC 7617). Over plain HTTP both can be read by whoever
/// is on the way: use it over TLS. Safe for all threads.
///
/// Hashing a password is meant to take long. So what was found right is known for a minute, and a
/// page with thirty pictures costs one hash. What is wrong is hashed each time, by at most half
/// of the processors at once; sixteen others wait, and are told 503 after five seconds, as those
/// are at once for whom there is no place to wait.
///
/// Handlers behind it find the name as the attribute [#USER].
public final class BasicAuth implements Filter {
    /// The attribute with the user's name.
    public static final String USER = "user";

    /// More than any password; `Authorization` beyond it is refused unread.
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

    /// For all paths.
    ///
    /// @param realm what browsers name to their users; without quotes and backslashes
    /// @throws IllegalArgumentException if the realm has one
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

    /// For these paths and all below them only. `/private` is for `/private` and `/private/a`,
    /// not for `/privateer`. Others are answered as fast as without this filter.
    ///
    /// @throws IllegalArgumentException if one does not begin with a slash
    public BasicAuth under(List<String> paths) {
        for (String path : paths) {
            if (!path.startsWith("/")) {
                throw new IllegalArgumentException(
                        "a path must begin with a slash, one was '" + path + "'");
            }
        }
        return new BasicAuth(challenge, users, paths, verified, hashing);
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
            throw new HttpException(401, "a name and a password are needed here");
        }
        x.attribute(USER, user);
        next.handle(x);
    }

    private boolean isProtected(String path) {
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

    /// The name of who may come in, or null.
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
            // Whoever came with the same while this waited may have been found right.
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
    public Handler wrap(Handler handler) {
        return handler instanceof PreparedResponseHandler ready
                ? new PreparedAuthHandler(this, ready)
                : BlockingHandler.of(Filter.super.wrap(handler));
    }

    /// Hashing takes long: a handler behind this one must not be called on a loop.
    private record BlockingHandler(Handler next) implements Handler {

        static Handler of(Handler next) {
            return new BlockingHandler(next);
        }

        @Override
        public void handle(Exchange x) throws Exception {
            next.handle(x);
        }
    }

    private record PreparedAuthHandler(BasicAuth auth, PreparedResponseHandler next)
            implements PreparedResponseHandler {

        @Override
        public void handle(Exchange x) throws Exception {
            auth.apply(x, next);
        }

        @Override
        public @Nullable PreparedResponse preparedResponse(RequestHead head, String path) {
            return auth.isProtected(head.target().path())
                    ? null
                    : next.preparedResponse(head, path);
        }
    }
}
