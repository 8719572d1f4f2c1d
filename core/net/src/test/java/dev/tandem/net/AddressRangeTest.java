package dev.tandem.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "10.0.0.0/9, 10.128.0.1, false",
        "10.0.0.0/9, 10.127.0.1, true",
        "192.0.2.7, 192.0.2.7, true",
        "192.0.2.7, 192.0.2.6, false",
        "0.0.0.0/0, 203.0.113.9, true",
        "0.0.0.0/0, ::1, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "::1, ::1, true",
    })
    void rangeHasAddressesWithTheSameFirstBits(String range, String address, boolean has) {
        assertEquals(has, AddressRange.parse(range).has(InetAddress.ofLiteral(address)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/8",
                "10.0.0.0/",
                "10.0.0.0/33",
                "::1/129",
                "10.0.0.0/-1",
                "host",
                "1/2/3"
            })
    void malformedRangeIsRejected(String text) {
        var e = assertThrows(IllegalArgumentException.class, () -> AddressRange.parse(text));
        assertTrue(String.valueOf(e.getMessage()).contains("'" + text + "'"), e.getMessage());
    }
}
