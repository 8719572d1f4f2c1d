package dev.tandem.logs;

/// The room's logger, in a class of its own since it costs time to set up.
final class Log {
    static final System.Logger LOG = System.getLogger("dev.tandem.logs");

    private Log() {}
}
