package dev.tandem.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.Exchange;
import dev.tandem.http.Headers;
import dev.tandem.http.HttpVersion;
import dev.tandem.http.Request;
import dev.tandem.http.RequestTarget;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UpstreamRequestTest {
    /// The names of the methods of the request that were called.
    private final List<String> called = new ArrayList<>();

    private Exchange exchange(Headers headers) {
        var client = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        byte[] text = "/a%20b?q".getBytes(StandardCharsets.US_ASCII);
        var target =
                assertInstanceOf(
                        RequestTarget.class, RequestTarget.parse("POST", text, 0, text.length));
        Object request =
                Proxy.newProxyInstance(
                        Request.class.getClassLoader(),
                        new Class<?>[] {Request.class},
                        (_, method, _) -> {
                            called.add(method.getName());
                            return switch (method.getName()) {
                                case "target" -> target;
                                case "method" -> "POST";
                                case "headers" -> headers;
                                case "remoteAddress" -> client;
                                case "isSecure" -> false;
                                case "version" -> HttpVersion.HTTP_1_1;
                                case "contentLength" -> 5L;
                                default -> throw new AssertionError(method);
                            };
                        });
        return (Exchange)
                Proxy.newProxyInstance(
                        Exchange.class.getClassLoader(),
                        new Class<?>[] {Exchange.class},
                        (_, method, _) -> {
                            assertEquals("request", method.getName());
                            return request;
                        });
    }

    /// Else a head of which the body comes slowly is in memory three times, and counts once.
    @Test
    void headIsMadeWhenItIsSent() {
        Headers headers = Headers.of("Host", "h", "X", "1");
        var request = UpstreamRequest.of(exchange(headers), ProxyOptions.DEFAULT, null);
        assertEquals(List.of("target"), called);
        String head = new String(request.head(), StandardCharsets.ISO_8859_1);
        assertTrue(head.startsWith("POST /a%20b?q HTTP/1.1\r\nHost: h\r\n"), head);
        assertTrue(head.contains("\r\nX: 1\r\n"), head);
    }
}
