package dev.tandem.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/// The validators of a user's simulated cache, by target (RFC 9110, section 8.8). Confined to one
/// load thread.
final class Validators {
    private static final int TARGETS_MAX = 1_000;

    private final double share;
    private final RandomGenerator random;
    private final Map<String, String> lines = new LinkedHashMap<>();

    /// @param share the probability of a conditional request for a known target, over 0 to 1
    Validators(double share, RandomGenerator random) {
        this.share = share;
        this.random = random;
    }

    /// Returns header lines for a call; empty if it is made without condition.
    String fields(Call call) {
        String known = lines.get(call.target());
        return known != null && random.nextDouble() < share ? known : "";
    }

    void learn(Reply reply) {
        String tag = reply.field("ETag");
        String modified = reply.field("Last-Modified");
        String text = tag.isEmpty() ? "" : "If-None-Match: " + tag + "\r\n";
        if (!modified.isEmpty()) {
            text += "If-Modified-Since: " + modified + "\r\n";
        }
        if (!text.isEmpty()) {
            if (lines.size() >= TARGETS_MAX) {
                lines.remove(lines.keySet().iterator().next());
            }
            lines.put(reply.call().target(), text);
        }
    }
}
