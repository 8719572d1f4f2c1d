package dev.tandem.testkit;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/// Checks that responses of every status say themselves where they end, whatever the method, the
/// version of HTTP and the client's wish for the connection: on a kept connection, another request
/// follows at once and must get its own response.
public final class FramingCheck {
    private static final List<String> METHODS = List.of("GET", "HEAD", "POST");
    private static final List<Connection> CONNECTIONS =
            List.of(
                    new Connection(1, ""),
                    new Connection(1, "Connection: close\n"),
                    new Connection(0, ""),
                    new Connection(0, "Connection: keep-alive\n"));

    private final InetSocketAddress server;
    private final String next;

    /// A kind of client.
    private record Connection(int minorVersion, String field) {
        /// Whether another request may be sent before the response is there.
        boolean isKept() {
            return minorVersion == 1 && field.isEmpty();
        }
    }

    /// @param next a target whose response is 200 and has the content `next`
    public FramingCheck(InetSocketAddress server, String next) {
        this.server = server;
        this.next = next;
    }

    /// Asks for a target in every way.
    ///
    /// @param status that the response must have
    /// @return how many ways there were
    /// @throws AssertionError if a response does not say where it ends; it says in which way
    public int check(String target, int status) {
        int count = 0;
        for (String method : METHODS) {
            for (Connection connection : CONNECTIONS) {
                String way = method + " " + target + " " + connection;
                try {
                    check(method, target, connection, status);
                } catch (IOException | RuntimeException | AssertionError e) {
                    throw new AssertionError(way + ": " + e, e);
                }
                count++;
            }
        }
        return count;
    }

    private void check(String method, String target, Connection connection, int status)
            throws IOException {
        String length = method.equals("POST") ? "Content-Length: 0\n" : "";
        String request =
                "%s %s HTTP/1.%d\nHost: a\n%s%s\n"
                        .formatted(
                                method,
                                target,
                                connection.minorVersion(),
                                connection.field(),
                                length);
        String following = "GET " + next + " HTTP/1.1\nHost: a\nConnection: close\n\n";
        try (RawClient client = RawClient.connect(server)) {
            client.send(connection.isKept() ? request + following : request);
            boolean isHead = method.equals("HEAD");
            RawResponse response = isHead ? client.responseToHead() : client.response();
            require(response.status() == status, "status " + response.status());
            boolean isKept = isKept(response, connection);
            framing(response, isHead, isKept, connection.minorVersion());
            if (isKept) {
                if (!connection.isKept()) {
                    client.send(following);
                }
                RawResponse second = client.response();
                require(second.status() == 200 && second.text().equals("next"), "its next");
            }
            require(client.restOrCut().length == 0, "bytes behind the end");
        } catch (EOFException e) {
            throw new IOException("the connection ended before the response: " + e.getMessage(), e);
        }
    }

    private static boolean isKept(RawResponse response, Connection connection) {
        return connection.minorVersion() == 1
                ? !response.saysClose()
                : "keep-alive".equalsIgnoreCase(response.field("Connection"));
    }

    private static void framing(
            RawResponse response, boolean isHead, boolean isKept, int minorVersion) {
        String length = response.field("Content-Length");
        String coding = response.field("Transfer-Encoding");
        require(coding == null || length == null, "two lengths");
        require(coding == null || minorVersion == 1, "a transfer coding for HTTP/1.0");
        boolean isFramed = coding != null || length != null;
        switch (response.status()) {
            case 204 -> require(!isFramed, "framing where RFC 9110, section 8.6 forbids it");
            case 304 -> {} // a length is that of the content which 200 would have
            case 205 -> {
                require("0".equals(length), "205 without Content-Length: 0");
                require(response.body().length == 0, "205 with content");
            }
            default -> require(isFramed || isHead || !isKept, "no framing, and it is kept");
        }
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }
}
