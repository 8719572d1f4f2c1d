package dev.tandem.logs;

/// The module's logger, in a class of its own because it takes time to set up.
final class Log {
    static final System.Logger LOG = System.getLogger("dev.tandem.logs");

    private Log() {}
}
