package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerFlightTest {
    private static final String RANDOM = "5a".repeat(32);

    /// Without a session and with the extension session_ticket.
    private static final String HELLO =
            record("0200002c" + "0303" + RANDOM + "00" + "c02b" + "00" + "0004" + "00230000");

    private static final String HELLO_13 =
            record("0200002e" + "0303" + RANDOM + "00" + "1301" + "00" + "0006" + "002b00020304");

    private static final String CERTIFICATE = record("0b000001" + "00");
    private static final String CHANGE_CIPHER_SPEC = "140303000101";

    private final ServerFlight flight = new ServerFlight();

    private static String record(String messages) {
        return "160303" + HexFormat.of().toHexDigits((short) (messages.length() / 2)) + messages;
    }

    private void add(String records) {
        ByteBuffer sent = ByteBuffer.wrap(HexFormat.of().parseHex(records));
        flight.add(sent);
        assertEquals(0, sent.position());
    }

    @Test
    void nothingIsResumedBeforeTheHello() {
        assertFalse(flight.isResumed());
        add("");
        assertFalse(flight.isResumed());
    }

    /// The JDK's engine encrypts a Finished message to a handshake record that begins with the
    /// number of the record, 0: eight bytes that look like two messages, and then at random.
    @ParameterizedTest
    @ValueSource(strings = {"02", "0b", "00"})
    void encryptedMessageIsNotRead(String first) {
        String finished = record("00".repeat(8) + first + "5a".repeat(31));
        add(HELLO);
        assertTrue(flight.isResumed(), "as far as known");
        add(CHANGE_CIPHER_SPEC);
        add(finished);
        assertTrue(flight.isResumed());

        var other = new ServerFlight();
        for (String sent : new String[] {HELLO, CERTIFICATE, CHANGE_CIPHER_SPEC, finished}) {
            other.add(ByteBuffer.wrap(HexFormat.of().parseHex(sent)));
        }
        assertFalse(other.isResumed());
    }

    @Test
    void encryptedMessageInTheSameOutputIsNotRead() {
        add(HELLO + CERTIFICATE);
        add(CHANGE_CIPHER_SPEC + record("00".repeat(8) + "02" + "5a".repeat(31)));
        assertFalse(flight.isResumed());
    }

    /// A HelloRetryRequest looks like a hello, and a change of the cipher follows it (RFC 8446,
    /// appendix D.4).
    @Test
    void helloAfterARetryIsRead() {
        add(HELLO_13 + CHANGE_CIPHER_SPEC);
        assertFalse(flight.isResumed());
        add(
                record(
                        "02000034"
                                + "0303"
                                + RANDOM
                                + "00"
                                + "1301"
                                + "00"
                                + "000c"
                                + "002b00020304"
                                + "002900020000"));
        assertTrue(flight.isResumed());
    }
}
