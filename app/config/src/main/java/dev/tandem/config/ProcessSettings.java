package dev.tandem.config;

import java.nio.file.Path;
import java.util.Optional;

/// Settings of the process, independent of what it serves. Immutable.
///
/// @param control the Unix-domain socket for commands to reload, to stop and to hand over
/// @param pidFile the file for its process id
public record ProcessSettings(Optional<Path> control, Optional<Path> pidFile)
        implements ProcessSettingsWith {

    /// Neither.
    public static final ProcessSettings DEFAULT =
            new ProcessSettings(Optional.empty(), Optional.empty());
}
