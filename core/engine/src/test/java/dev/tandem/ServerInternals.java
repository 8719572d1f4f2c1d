package dev.tandem;

import dev.tandem.admission.Admission;

/// What tests see of a server that its users do not.
public final class ServerInternals {
    private ServerInternals() {}

    /// Returns the admission that decides on the server's requests.
    public static Admission admission(Server server) {
        return server.admission();
    }
}
