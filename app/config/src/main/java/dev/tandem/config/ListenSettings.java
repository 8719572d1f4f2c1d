package dev.tandem.config;

import java.util.List;
import java.util.Optional;

/// A listener. Immutable.
///
/// @param proxies addresses and ranges whose connections begin with the PROXY protocol
/// @param mode of a Unix-domain socket's file, such as `rw-rw----`
public record ListenSettings(
        Address address, Optional<ListenerTls> tls, List<String> proxies, Optional<String> mode)
        implements ListenSettingsWith {

    /// Takes a copy of the list.
    public ListenSettings {
        proxies = List.copyOf(proxies);
    }

    /// Plain HTTP.
    public static ListenSettings at(Address address) {
        return new ListenSettings(address, Optional.empty(), List.of(), Optional.empty());
    }

    /// @throws IllegalArgumentException if there is a mode without a socket file
    void check() {
        if (mode.isPresent() && !(address instanceof Address.Unix)) {
            throw new IllegalArgumentException(
                    "mode is for the file of a Unix-domain socket (unix:/PATH); "
                            + address
                            + " has none");
        }
    }
}
