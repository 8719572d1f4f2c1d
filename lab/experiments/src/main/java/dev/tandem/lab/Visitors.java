package dev.tandem.lab;

import dev.tandem.load.Client;
import dev.tandem.load.Workload;
import java.time.Duration;

/// Who comes in a load.
///
/// @param callsEach how many requests a session has, in the mean
/// @param patience how long one waits for progress
record Visitors(Workload workload, double callsEach, Client client, Duration patience) {
    Visitors with(Workload other) {
        return new Visitors(other, callsEach, client, patience);
    }

    Visitors with(Client other) {
        return new Visitors(workload, callsEach, other, patience);
    }

    Visitors with(Duration otherPatience) {
        return new Visitors(workload, callsEach, client, otherPatience);
    }
}
