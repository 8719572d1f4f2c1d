package dev.tandem.tls;

/// The module's logger, in a class of its own, so that logging is initialized on first use.
final class Log {
    static final System.Logger LOG = System.getLogger("dev.tandem.tls");

    private Log() {}
}
