package dev.tandem.load;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The TLS settings of users.
///
/// @param reuse which handshakes resume an earlier one
/// @param authority a PEM file with the certificates to trust; null trusts every server
/// @param protocols such as `TLSv1.3`; empty for the engines' own choice
/// @param ciphers by the JDK's names; empty for the engines' own choice
/// @param engines the source of a thread's engines
public record Tls(
        Reuse reuse,
        @Nullable Path authority,
        List<String> protocols,
        List<String> ciphers,
        ClientEngines.Source engines)
        implements TlsWith {

    /// Resumes within a session and trusts every server: a generated load contains no secrets.
    public static final Tls DEFAULT = new Tls(Reuse.SESSION, null, List.of(), List.of());

    public Tls {
        protocols = List.copyOf(protocols);
        ciphers = List.copyOf(ciphers);
    }

    /// Uses the JDK's engines.
    public Tls(
            Reuse reuse, @Nullable Path authority, List<String> protocols, List<String> ciphers) {
        this(reuse, authority, protocols, ciphers, ClientEngines.JDK);
    }

    /// Which handshakes resume an earlier one.
    public enum Reuse {
        /// None: each connection makes a full handshake.
        NONE,
        /// Those of one user's session, as httperf does.
        SESSION,
        /// Those of all users of a thread, like returning users.
        ALL
    }
}
