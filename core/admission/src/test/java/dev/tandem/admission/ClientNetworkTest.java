package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import org.junit.jupiter.api.Test;

class ClientNetworkTest {
    private static long of(String address) {
        return ClientNetwork.of(new InetSocketAddress(InetAddress.ofLiteral(address), 1));
    }

    @Test
    void eachIpv4AddressIsAClient() {
        assertEquals(of("192.0.2.255"), of("192.0.2.255"));
        assertNotEquals(of("192.0.2.255"), of("192.0.2.254"));
        assertNotEquals(of("127.0.0.1"), of("127.0.0.2"));
    }

    @Test
    void ipv6NetworkOf64BitsIsOneClient() {
        assertEquals(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assertNotEquals(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
    }

    @Test
    void mappedIpv4AddressIsThatOfIpv4() {
        assertEquals(of("192.0.2.1"), of("::ffff:192.0.2.1"));
    }

    @Test
    void peersWithoutAnAddressAreOneClient() {
        assertEquals(
                ClientNetwork.of(UnixDomainSocketAddress.of("/a")),
                ClientNetwork.of(UnixDomainSocketAddress.of("/b")));
    }
}
