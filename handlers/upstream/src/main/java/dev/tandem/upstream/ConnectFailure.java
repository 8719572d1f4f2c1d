package dev.tandem.upstream;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// What is said of a connection that none of an upstream's addresses accepted.
final class ConnectFailure {
    private ConnectFailure() {}

    /// Returns the failure that is reported of two: a time-out, as the client could have waited for
    /// that address, else the first.
    ///
    /// @param before that of the addresses before, if any
    static IOException reported(@Nullable IOException before, IOException next) {
        boolean isFirstTimeout =
                next instanceof UpstreamTimeoutException
                        && !(before instanceof UpstreamTimeoutException);
        return before == null || isFirstTimeout ? next : before;
    }

    /// Returns the upstream's name, with the address that was tried if it has several.
    static String place(Upstream upstream, @Nullable SocketAddress tried, boolean isOneOfSeveral) {
        String name = upstream.address().text();
        return isOneOfSeveral && tried instanceof InetSocketAddress at && at.getAddress() != null
                ? name + " (" + at.getAddress().getHostAddress() + ")"
                : name;
    }
}
