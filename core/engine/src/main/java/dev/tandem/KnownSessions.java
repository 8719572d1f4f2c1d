package dev.tandem;

import dev.tandem.http.Cookies;
import java.util.OptionalLong;

/// Recognises sessions that other servers of the same site began, so that their requests go before
/// those of new ones here, too. Any thread calls it, for the first request of a connection; it must
/// not block.
@FunctionalInterface
public interface KnownSessions {

    /// Returns an identifier of the session that a request belongs to, 64 bits that cannot be made
    /// up by clients; empty if it proves none.
    OptionalLong find(Cookies cookies);
}
