package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 7541, section 5.2 and appendix B.
class HuffmanTest {
    private static final String MALFORMED = "malformed";

    @ParameterizedTest
    @CsvSource({
        "www.example.com, f1e3c2e5f23a6ba0ab90f4ff",
        "no-cache, a8eb10649cbf",
        "custom-value, 25a849e95bb8e8b4bf",
        "302, 6402",
        "gzip, 9bd9ab",
        "'', ''"
    })
    void textHasItsCode(String text, String code) {
        assertEquals(text, decode(Hex.bytes(code)));
        assertEquals(code, Hex.of(encode(text)));
    }

    @Test
    void everyByteIsDecoded() {
        for (int first = 0; first < 256; first++) {
            for (int second = 0; second < 256; second++) {
                String text = "" + (char) first + (char) second;
                assertEquals(text, decode(encode(text)));
            }
        }
    }

    @Test
    void textOfEveryLengthIsDecoded() {
        var random = new Random(1);
        for (int i = 0; i < 5_000; i++) {
            var text = new StringBuilder();
            int symbols = random.nextBoolean() ? 256 : 128;
            for (int length = i % 80; length > 0; length--) {
                text.append((char) random.nextInt(symbols));
            }
            assertEquals(text.toString(), decode(encode(text.toString())));
        }
    }

    /// 7 bits of padding are the most that a text needs.
    @ParameterizedTest
    @ValueSource(strings = {"ff", "1fff", "ffff", "f1e3c2e5f23a6ba0ab90f4ffff", "ffffff"})
    void paddingOfAByteIsMalformed(String code) {
        assertEquals(MALFORMED, decode(Hex.bytes(code)));
    }

    /// `1` is 00001, which leaves three bits of padding.
    @ParameterizedTest
    @ValueSource(strings = {"08", "09", "0a", "0b", "0c", "0d", "0e", "00"})
    void paddingOtherThanOnesIsMalformed(String code) {
        assertEquals("1", decode(Hex.bytes("0f")));
        assertEquals(MALFORMED, decode(Hex.bytes(code)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fffffffc",
                "fffffffd",
                "fffffffe",
                "ffffffff",
                "1fffffffff",
                "1ffffffffc",
                "ffffffffffffffff",
                "f1e3c2e5f23a6ba0ab90f4ffffffff"
            })
    void endOfStringSymbolIsMalformed(String code) {
        assertEquals(MALFORMED, decode(Hex.bytes(code)));
    }

    @Test
    void incompleteLongCodeIsMalformed() {
        byte[] code = encode("\u0001"); // 23 bits
        assertEquals(3, code.length);
        assertEquals(MALFORMED, decode(new byte[] {code[0], code[1]}));
        assertEquals(MALFORMED, decode(new byte[] {code[0]}));
    }

    @Test
    void longestTextFitsIntoTheRoom() {
        String text = "0".repeat(4_000); // 5 bits each
        byte[] code = encode(text);
        assertEquals(2_500, code.length);
        assertEquals(text, decode(code));
    }

    private static String decode(byte[] code) {
        byte[] out = new byte[Huffman.decodedMax(code.length)];
        byte[] shifted = new byte[code.length + 9];
        System.arraycopy(code, 0, shifted, 5, code.length);
        int length = Huffman.decode(shifted, 5, 5 + code.length, out);
        return length < 0 ? MALFORMED : new String(out, 0, length, StandardCharsets.ISO_8859_1);
    }

    private static byte[] encode(String text) {
        int bits = 0;
        for (char c : text.toCharArray()) {
            bits += Huffman.codeLength(c);
        }
        byte[] code = new byte[(bits + 7) / 8];
        Huffman.encode(text, code, 0);
        return code;
    }
}
