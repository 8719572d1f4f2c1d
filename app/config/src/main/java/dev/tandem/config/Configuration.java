package dev.tandem.config;

import dev.tandem.Options;
import dev.tandem.fleet.FleetOptions;
import dev.tandem.logs.AccessSettings;
import java.util.List;
import java.util.Optional;

/// The whole configuration of a server, from a file or from flags. Immutable.
///
/// @param accessLog the access log; empty for none
/// @param manage the management address; empty for none
/// @param fleet what is reported to load balancers; empty for nothing
/// @param database connections that instances share; empty to leave pools as they are
/// @param pageCache the cache of folders' files; empty for the kernel's only
public record Configuration(
        Options limits,
        List<ListenSettings> listeners,
        List<SiteSettings> sites,
        Optional<AccessSettings> accessLog,
        ErrorSettings errorLog,
        Optional<ManagementSettings> manage,
        Optional<FleetOptions> fleet,
        Optional<DatabaseSettings> database,
        Optional<PageCacheSettings> pageCache,
        ProcessSettings process)
        implements ConfigurationWith {

    /// A configuration without sites, at 127.0.0.1:8080.
    public static final Configuration DEFAULT =
            new Configuration(
                    Options.DEFAULT,
                    List.of(ListenSettings.at(new Address.Inet("127.0.0.1", 8080))),
                    List.of(),
                    Optional.empty(),
                    ErrorSettings.DEFAULT,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    ProcessSettings.DEFAULT);

    /// Takes copies.
    public Configuration {
        listeners = List.copyOf(listeners);
        sites = List.copyOf(sites);
    }
}
