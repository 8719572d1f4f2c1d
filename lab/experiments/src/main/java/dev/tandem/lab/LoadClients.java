package dev.tandem.lab;

import dev.tandem.load.Client;
import dev.tandem.load.Workload;
import java.time.Duration;

/// The clients of a load.
///
/// @param callsEach mean number of requests of a session
/// @param patience how long a client waits for progress
record LoadClients(Workload workload, double callsEach, Client client, Duration patience) {
    LoadClients with(Workload other) {
        return new LoadClients(other, callsEach, client, patience);
    }

    LoadClients with(Client other) {
        return new LoadClients(workload, callsEach, other, patience);
    }

    LoadClients with(Duration otherPatience) {
        return new LoadClients(workload, callsEach, client, otherPatience);
    }
}
