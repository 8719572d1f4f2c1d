package dev.tandem.acme;

/// The log of this module.
final class Log {
    static final System.Logger LOG = System.getLogger("dev.tandem.acme");

    private Log() {}
}
