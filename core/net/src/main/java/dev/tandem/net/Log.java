package dev.tandem.net;

/// The room's logger. In a class of its own, so that logging, which takes tens of milliseconds to
/// set up, costs nothing until there is something to say.
final class Log {
    static final System.Logger LOG = System.getLogger("dev.tandem.net");

    private Log() {}
}
