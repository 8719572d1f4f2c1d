package dev.tandem.config;

import java.nio.file.Path;
import java.util.Optional;

/// The management address. Immutable.
///
/// @param address an internet address, or a Unix-domain one that only its own user can connect to
/// @param isOpen whether other machines may reach it
/// @param tokenFile its first line is the token required from clients; if there is none, no token
///     is required
/// @param allowsTraces whether clients may start recordings
public record ManagementSettings(
        Address address, boolean isOpen, Optional<Path> tokenFile, boolean allowsTraces)
        implements ManagementSettingsWith {

    /// For this machine only, without a token or recordings.
    public static ManagementSettings at(Address address) {
        return new ManagementSettings(address, false, Optional.empty(), false);
    }
}
