package dev.tandem.config;

import java.nio.file.Path;
import java.util.Optional;

/// Where a server tells how it fares. Immutable.
///
/// @param address an internet address, or a Unix-domain one that only its own user can connect to
/// @param isOpen whether other machines may reach it
/// @param tokenFile whose first line those must know who ask; if there is none, all may who reach
///     it
/// @param mayTrace whether recordings may be asked for
public record ManageSettings(
        Address address, boolean isOpen, Optional<Path> tokenFile, boolean mayTrace) {

    /// For this machine alone, without a token or recordings.
    public static ManageSettings at(Address address) {
        return new ManageSettings(address, false, Optional.empty(), false);
    }

    public ManageSettings withAddress(Address other) {
        return new ManageSettings(other, isOpen, tokenFile, mayTrace);
    }

    public ManageSettings withOpen(boolean isOther) {
        return new ManageSettings(address, isOther, tokenFile, mayTrace);
    }

    public ManageSettings withTokenFile(Path file) {
        return new ManageSettings(address, isOpen, Optional.of(file), mayTrace);
    }

    public ManageSettings withTraces(boolean mayOther) {
        return new ManageSettings(address, isOpen, tokenFile, mayOther);
    }
}
