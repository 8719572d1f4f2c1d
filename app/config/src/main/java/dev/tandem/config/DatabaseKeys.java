package dev.tandem.config;

import java.util.List;

/// `[database]`.
final class DatabaseKeys {
    static final Section<DatabaseSettings> SECTION =
            Section.of(
                            DatabaseSettings.DEFAULT,
                            List.of(
                                    new Key<>(
                                            "fleet_connections",
                                            ValueTypes.NUMBER,
                                            "Connections that all instances together may have; each"
                                                + " HikariCP pool of this process gets its share. 2"
                                                + " to 1,000,000.",
                                            DatabaseSettings::fleetConnections,
                                            DatabaseSettings::withFleetConnections),
                                    new Key<>(
                                            "fleet_name",
                                            ValueTypes.TEXT,
                                            "A name with an address for each instance, by which"
                                                    + " they are counted.",
                                            DatabaseSettings::fleetName,
                                            DatabaseSettings::withFleetName)))
                    .requiring("fleet_connections", "fleet_name");

    private DatabaseKeys() {}
}
