package dev.tandem.net;

/// The logger of the module, in a class of its own so that logging, whose initialization takes tens
/// of milliseconds, is initialized only when a message is logged.
final class Log {
    static final System.Logger LOG = System.getLogger("dev.tandem.net");

    private Log() {}
}
