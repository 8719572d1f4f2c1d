package dev.tandem;

import dev.tandem.admission.Admission;

/// Internals of a server for tests.
public final class ServerInternals {
    private ServerInternals() {}

    /// Returns the admission that decides on the server's requests.
    public static Admission admission(Server server) {
        return server.admission();
    }
}
