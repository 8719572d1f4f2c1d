package dev.tandem.load;

/// Checks whether a response is as expected. Called by the generator's threads: must not block.
@FunctionalInterface
public interface Check {

    /// Accepts every response.
    Check ANY = _ -> true;

    /// @return false to make it [Outcome#WRONG_CONTENT]
    boolean accepts(Reply reply);

    /// Accepts only responses with this status.
    static Check status(int status) {
        return reply -> reply.status() == status;
    }

    /// Accepts only responses with content of this many bytes.
    static Check length(long bytes) {
        return reply -> reply.length() == bytes;
    }
}
