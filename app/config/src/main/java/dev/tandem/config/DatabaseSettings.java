package dev.tandem.config;

import dev.tandem.fleet.DatabaseBudget;
import dev.tandem.http.Bounds;

/// `[database]`: the connections that all instances of a fleet share. Immutable.
///
/// @param fleetConnections of the database, for all instances; 2 to 1,000,000
/// @param fleetName has an address for each instance, by which they are counted
public record DatabaseSettings(int fleetConnections, String fleetName)
        implements DatabaseSettingsWith {

    static final DatabaseSettings DEFAULT =
            new DatabaseSettings(DatabaseBudget.CONNECTIONS_MIN, "");

    /// @throws IllegalArgumentException if the number is out of range
    public DatabaseSettings {
        Bounds.check(
                "fleet_connections",
                fleetConnections,
                DatabaseBudget.CONNECTIONS_MIN,
                DatabaseBudget.CONNECTIONS_MAX);
    }

    /// Begins to count the instances, and to set the size of the pools of this process's
    /// applications.
    public DatabaseBudget open() {
        return DatabaseBudget.ofPools(fleetConnections, DatabaseBudget.byName(fleetName));
    }
}
