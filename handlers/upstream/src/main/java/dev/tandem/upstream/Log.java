package dev.tandem.upstream;

/// The module's logger, in a class of its own, so that logging is initialized on first use.
final class Log {
    static final System.Logger LOG = System.getLogger("dev.tandem.upstream");

    private Log() {}

    /// Logs a failure that ends nothing, which may be a lack of memory.
    static void failed(String what, Throwable failure) {
        try {
            LOG.log(System.Logger.Level.ERROR, what, failure);
        } catch (OutOfMemoryError _) {
            // There is none for the message, either.
        }
    }
}
