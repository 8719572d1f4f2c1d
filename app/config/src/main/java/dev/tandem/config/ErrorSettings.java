package dev.tandem.config;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Optional;

/// The error log. Immutable.
///
/// @param file empty for standard error
/// @param level what is less severe is not logged
public record ErrorSettings(Optional<Path> file, Level level) implements ErrorSettingsWith {

    /// Everything but debug messages, on standard error.
    public static final ErrorSettings DEFAULT = new ErrorSettings(Optional.empty(), Level.INFO);
}
