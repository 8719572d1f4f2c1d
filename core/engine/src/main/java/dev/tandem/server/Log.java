package dev.tandem.server;

import java.time.ZoneId;

/// The room's logger. In a class of its own, so that logging, which takes tens of milliseconds to
/// set up, costs nothing until there is something to say.
final class Log {
    static final System.Logger LOG = System.getLogger("dev.tandem.server");

    private Log() {}

    /// Sets logging up, which takes descriptors: there may be none left when it is needed first.
    static void prepare() {
        boolean _ = LOG.isLoggable(System.Logger.Level.ERROR);
        var _ = ZoneId.systemDefault(); // read from a file, for a line's time
    }
}
