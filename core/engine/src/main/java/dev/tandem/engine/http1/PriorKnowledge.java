package dev.tandem.engine.http1;

import dev.tandem.engine.Engine;
import dev.tandem.engine.tls.TlsSocket;
import dev.tandem.net.Connection;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/// Where clients may begin HTTP/2 without TLS by prior knowledge (RFC 9113, section 3.3).
final class PriorKnowledge {
    private PriorKnowledge() {}

    /// Whether it is accepted on a connection: at Unix-domain sockets and loopback addresses, and
    /// elsewhere if the options say so.
    static boolean isAccepted(Connection connection, Engine engine) {
        return engine.offersHttp2()
                && !TlsSocket.isOf(connection)
                && (engine.options().http2().isClearTextEverywhere() || isLocal(connection));
    }

    private static boolean isLocal(Connection connection) {
        SocketAddress local = connection.socket().localAddress();
        return !(local instanceof InetSocketAddress inet) || inet.getAddress().isLoopbackAddress();
    }
}
