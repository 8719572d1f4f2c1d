package dev.tandem.engine;

import java.time.ZoneId;

/// The module's logger. In a class of its own, so that logging, which takes tens of milliseconds to
/// set up, costs nothing until there is something to log.
public final class Log {
    public static final System.Logger LOG = System.getLogger("dev.tandem.engine");

    private Log() {}

    /// Sets logging up, which takes descriptors: there may be none left when it is first needed.
    public static void prepare() {
        boolean _ = LOG.isLoggable(System.Logger.Level.ERROR);
        var _ = ZoneId.systemDefault(); // read from a file, for a line's time
    }

    /// Logs a failure that must not end the thread; nothing is reported if that fails, too.
    public static void failure(String what, Throwable why) {
        try {
            LOG.log(System.Logger.Level.ERROR, what, why);
        } catch (Throwable e) {
            // It cannot be reported.
        }
    }
}
