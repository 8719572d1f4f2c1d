package dev.tandem.fastcgi;

/// The room's logger, in a class of its own: logging is set up only when there is something to
/// say.
final class Log {
    static final System.Logger LOG = System.getLogger("dev.tandem.fastcgi");

    private Log() {}
}
