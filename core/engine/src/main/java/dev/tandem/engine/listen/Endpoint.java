package dev.tandem.engine.listen;

import dev.tandem.net.AddressRange;
import dev.tandem.net.Listener;
import dev.tandem.net.Socket;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An address to listen at, and the protocol there.
///
/// @param tls null for plain HTTP
/// @param proxies peers that may name, by the PROXY protocol, the client whose connection they
///     forward
public record Endpoint(
        SocketAddress address, @Nullable TlsSettings tls, List<AddressRange> proxies) {

    /// Takes a copy of the list.
    public Endpoint {
        proxies = List.copyOf(proxies);
    }

    public static Endpoint at(SocketAddress address) {
        return new Endpoint(address, null, List.of());
    }

    public Endpoint with(TlsSettings settings) {
        return new Endpoint(address, settings, proxies);
    }

    public Endpoint with(AddressRange proxy) {
        var more = new ArrayList<>(proxies);
        more.add(proxy);
        return new Endpoint(address, tls, more);
    }

    void check() throws IOException {
        if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new IOException("cannot listen on " + inet.getHostString() + ": unknown host");
        }
    }

    /// Whether a listener is at this address. Every address of this machine is one address in
    /// both families.
    boolean isAt(Listener listener) {
        SocketAddress local = listener.localAddress();
        if (address instanceof InetSocketAddress a && local instanceof InetSocketAddress b) {
            boolean isEverywhere =
                    !a.isUnresolved()
                            && a.getAddress().isAnyLocalAddress()
                            && b.getAddress().isAnyLocalAddress();
            return isEverywhere ? a.getPort() == b.getPort() : a.equals(b);
        }
        return address.equals(local);
    }

    /// Returns the socket to use for an accepted one: a [ProxiedSocket] if its peer is a proxy.
    Socket socket(Socket accepted) {
        if (proxies.isEmpty() || !(accepted.remoteAddress() instanceof InetSocketAddress peer)) {
            return accepted;
        }
        boolean isProxy = proxies.stream().anyMatch(range -> range.has(peer.getAddress()));
        return isProxy ? new ProxiedSocket(accepted) : accepted;
    }
}
