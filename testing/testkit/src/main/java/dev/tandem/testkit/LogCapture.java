package dev.tandem.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Captures the warnings and errors of one logger, and keeps its records from the console, until
/// it is closed.
public final class LogCapture implements AutoCloseable {
    private final Logger logger;
    private final List<Line> lines = new ArrayList<>();
    private final Handler handler = new Taking();
    private volatile Level least = Level.WARNING;

    /// Number of further lines for which there is no memory. Guarded by `lines`.
    private int failures;

    /// One log record.
    ///
    /// @param level its name in java.util.logging, such as `WARNING`
    /// @param thrown the logged exception
    public record Line(String level, String message, @Nullable Throwable thrown) {}

    private LogCapture(String name) {
        this.logger = Logger.getLogger(name);
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
    }

    /// Captures warnings and errors; what is logged as normal operation is dropped.
    ///
    /// @param name of the logger
    public static LogCapture of(String name) {
        return new LogCapture(name);
    }

    /// Captures what is logged as normal operation, too, from now on.
    public LogCapture withInformation() {
        least = Level.INFO;
        return this;
    }

    /// Has the next lines fail by an [OutOfMemoryError], as if there were no memory for them.
    public LogCapture failing(int count) {
        synchronized (lines) {
            failures = count;
        }
        return this;
    }

    /// Returns the records so far.
    public List<Line> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /// Returns the messages so far that match.
    public List<String> messages(Predicate<String> wanted) {
        return lines().stream().map(Line::message).filter(wanted).toList();
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    private final class Taking extends Handler {
        @Override
        public void publish(LogRecord logged) {
            if (logged.getLevel().intValue() < least.intValue()) {
                return;
            }
            synchronized (lines) {
                lines.add(
                        new Line(
                                logged.getLevel().getName(),
                                logged.getMessage(),
                                logged.getThrown()));
                if (failures > 0) {
                    failures--;
                    throw new OutOfMemoryError("no memory for a log line");
                }
            }
        }

        @Override
        public void flush() {
            // There is no buffer.
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }
}
