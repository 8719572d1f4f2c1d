package dev.tandem.load;

/// Looks whether an answer is what it should be. Called by the generator's threads: must not
/// block.
@FunctionalInterface
public interface Check {

    /// Takes every answer.
    Check ANY = _ -> true;

    /// @return false to make it [Outcome#WRONG_CONTENT]
    boolean accepts(Reply reply);

    /// Takes answers of this status only.
    static Check status(int status) {
        return reply -> reply.status() == status;
    }

    /// Takes answers with content of this many bytes only.
    static Check length(long bytes) {
        return reply -> reply.length() == bytes;
    }
}
