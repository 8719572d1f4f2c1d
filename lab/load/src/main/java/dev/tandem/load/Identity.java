package dev.tandem.load;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What a visitor remembers of the server: cookies, validators, TLS sessions. Confined to its
/// player's thread.
final class Identity {
    private final @Nullable Jar jar;
    private final @Nullable Validators validators;
    private final String tlsPeer;

    /// @param tlsPeer the name that its TLS sessions are kept by; empty for none
    Identity(Client client, RandomGenerator random, String tlsPeer) {
        this.jar = client.hasCookies() ? new Jar() : null;
        this.validators =
                client.validatorShare() > 0
                        ? new Validators(client.validatorShare(), random)
                        : null;
        this.tlsPeer = tlsPeer;
    }

    /// The name that its TLS sessions are kept by; empty for none.
    String tlsPeer() {
        return tlsPeer;
    }

    /// Header lines that this visitor adds to a call; mostly none.
    String fields(Call call) {
        String fields = jar == null ? "" : jar.field(call.target());
        return validators == null || !call.isGet() ? fields : fields + validators.fields(call);
    }

    /// What must be kept of an answer: more than the call wants if there is something to learn.
    Use use(Call call) {
        boolean isLearning = jar != null || validators != null;
        return isLearning && call.use() == Use.COUNT ? Use.HEAD : call.use();
    }

    void learn(Reply reply) {
        if (jar != null) {
            reply.fields("Set-Cookie").forEach(jar::set);
        }
        if (validators != null && reply.call().isGet() && reply.status() == 200) {
            validators.learn(reply);
        }
    }
}
