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
        Address address, boolean isOpen, Optional<Path> tokenFile, boolean allowsTraces) {

    /// For this machine only, without a token or recordings.
    public static ManagementSettings at(Address address) {
        return new ManagementSettings(address, false, Optional.empty(), false);
    }

    public ManagementSettings withAddress(Address other) {
        return new ManagementSettings(other, isOpen, tokenFile, allowsTraces);
    }

    public ManagementSettings withOpen(boolean isOther) {
        return new ManagementSettings(address, isOther, tokenFile, allowsTraces);
    }

    public ManagementSettings withTokenFile(Path file) {
        return new ManagementSettings(address, isOpen, Optional.of(file), allowsTraces);
    }

    public ManagementSettings withTraces(boolean mayOther) {
        return new ManagementSettings(address, isOpen, tokenFile, mayOther);
    }
}
