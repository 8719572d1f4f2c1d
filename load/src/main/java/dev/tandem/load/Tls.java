package dev.tandem.load;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How visitors speak TLS.
///
/// @param reuse which handshakes resume an earlier one
/// @param authority a PEM file with the certificates to trust; null trusts every server
/// @param protocols such as `TLSv1.3`; empty for the JDK's own choice
/// @param ciphers by the JDK's names; empty for the JDK's own choice
public record Tls(
        Reuse reuse, @Nullable Path authority, List<String> protocols, List<String> ciphers) {

    /// Resumes within a session, trusts every server: it is load, not secrets.
    public static final Tls DEFAULT = new Tls(Reuse.SESSION, null, List.of(), List.of());

    public Tls {
        protocols = List.copyOf(protocols);
        ciphers = List.copyOf(ciphers);
    }

    /// Which handshakes resume an earlier one.
    public enum Reuse {
        /// None: each connection makes a full handshake.
        NONE,
        /// Those of one visitor's session, as httperf does.
        SESSION,
        /// Those of all visitors of a thread: as returning visitors.
        ALL
    }
}
