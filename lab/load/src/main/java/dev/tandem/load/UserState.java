package dev.tandem.load;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A user's state about the server: cookies, validators, TLS sessions. Confined to one load thread.
final class UserState {
    private final @Nullable CookieJar cookies;
    private final @Nullable Validators validators;
    private final String tlsPeer;

    /// @param tlsPeer the name that the user's TLS sessions are stored by; empty for none
    UserState(Client client, RandomGenerator random, String tlsPeer) {
        this.cookies = client.hasCookies() ? new CookieJar() : null;
        this.validators =
                client.validatorShare() > 0
                        ? new Validators(client.validatorShare(), random)
                        : null;
        this.tlsPeer = tlsPeer;
    }

    /// The name that the user's TLS sessions are stored by; empty for none.
    String tlsPeer() {
        return tlsPeer;
    }

    /// Returns the header lines that this user adds to a call; mostly none.
    String fields(Call call) {
        String fields = cookies == null ? "" : cookies.field(call.target());
        return validators == null || !call.isGet() ? fields : fields + validators.fields(call);
    }

    /// Returns which part of a response must be kept: more than the call needs if there is
    /// something to learn.
    Use use(Call call) {
        boolean isLearning = cookies != null || validators != null;
        return isLearning && call.use() == Use.COUNT ? Use.HEAD : call.use();
    }

    void learn(Reply reply) {
        if (cookies != null) {
            reply.fields("Set-Cookie").forEach(cookies::set);
        }
        if (validators != null && reply.call().isGet() && reply.status() == 200) {
            validators.learn(reply);
        }
    }
}
