package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/// The examples of RFC 7541, appendix C.
class Rfc7541AppendixCTest {
    private final HpackDecoder decoder = new HpackDecoder(4_096);

    @Test
    void integers() {
        assertEquals("0a", integer(5, 10));
        assertEquals("1f9a0a", integer(5, 1_337));
        assertEquals("2a", integer(8, 42));
    }

    private static String integer(int prefix, int value) {
        var block = new HeaderBlock();
        block.integer(0, prefix, value);
        return Hex.of(block.copy());
    }

    @Test
    void literalWithIndexing() {
        String block = "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572";
        assertEquals("custom-key: custom-header\n", decode(decoder, block));
        assertTable(decoder, 55, "custom-key: custom-header");
    }

    @Test
    void literalWithoutIndexing() {
        assertEquals(
                ":path: /sample/path\n", decode(decoder, "040c 2f73 616d 706c 652f 7061 7468"));
        assertTable(decoder, 0, "");
    }

    @Test
    void literalNeverIndexed() {
        assertEquals(
                "password: secret\n",
                decode(decoder, "1008 7061 7373 776f 7264 0673 6563 7265 74"));
        assertTable(decoder, 0, "");
    }

    @Test
    void indexedHeader() {
        assertEquals(":method: GET\n", decode(decoder, "82"));
        assertTable(decoder, 0, "");
    }

    @Test
    void requestsWithoutHuffman() {
        requests(
                "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
                "8286 84be 5808 6e6f 2d63 6163 6865",
                """
                8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65\
                """);
    }

    @Test
    void requestsWithHuffman() {
        requests(
                "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
                "8286 84be 5886 a8eb 1064 9cbf",
                "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf");
    }

    private void requests(String first, String second, String third) {
        assertEquals(
                """
                :method: GET
                :scheme: http
                :path: /
                :authority: www.example.com
                """,
                decode(decoder, first));
        assertTable(decoder, 57, ":authority: www.example.com");
        assertEquals(
                """
                :method: GET
                :scheme: http
                :path: /
                :authority: www.example.com
                cache-control: no-cache
                """,
                decode(decoder, second));
        assertTable(decoder, 110, "cache-control: no-cache\n:authority: www.example.com");
        assertEquals(
                """
                :method: GET
                :scheme: https
                :path: /index.html
                :authority: www.example.com
                custom-key: custom-value
                """,
                decode(decoder, third));
        assertTable(
                decoder,
                164,
                """
                custom-key: custom-value
                cache-control: no-cache
                :authority: www.example.com\
                """);
    }

    @Test
    void encoderWritesTheRequestsOfTheRfc() {
        var encoder = new HpackEncoder(4_096);
        var writer = new HeadWriter().start(encoder);
        requestOf(writer, "http", "/");
        assertEquals("828684418cf1e3c2e5f23a6ba0ab90f4ff", block(writer));
        writer.start(encoder);
        requestOf(writer, "http", "/").header("Cache-Control", "no-cache");
        assertEquals("828684be5886a8eb10649cbf", block(writer));
        writer.start(encoder);
        requestOf(writer, "https", "/index.html").header("custom-key", "custom-value");
        assertEquals("828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf", block(writer));
        assertEquals(
                """
                custom-key: custom-value
                cache-control: no-cache
                :authority: www.example.com\
                """,
                encoder.table().toString());
        assertEquals(164, encoder.table().size());
    }

    private static HeadWriter requestOf(HeadWriter writer, String scheme, String path) {
        return writer.header(":method", "GET")
                .header(":scheme", scheme)
                .header(":path", path)
                .header(":authority", "www.example.com");
    }

    @Test
    void responsesWithoutHuffman() {
        responses(
                """
                4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133
                2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70
                6c65 2e63 6f6d\
                """,
                "4803 3330 37c1 c0bf",
                """
                88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d
                54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049
                5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e
                3d31\
                """);
    }

    @Test
    void responsesWithHuffman() {
        responses(
                """
                4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6
                2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3\
                """,
                "4883 640e ffc1 c0bf",
                """
                88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab
                77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f
                9587 3160 65c0 03ed 4ee5 b106 3d50 07\
                """);
    }

    private static void responses(String first, String second, String third) {
        var decoder = new HpackDecoder(256);
        String location = "location: https://www.example.com";
        String date = "date: Mon, 21 Oct 2013 20:13:21 GMT";
        String cache = "cache-control: private";
        String[] firstList = {":status: 302", cache, date, location};
        assertEquals(String.join("\n", firstList) + "\n", decode(decoder, first));
        assertTable(decoder, 222, String.join("\n", location, date, cache, ":status: 302"));
        String[] secondList = {":status: 307", cache, date, location};
        assertEquals(String.join("\n", secondList) + "\n", decode(decoder, second));
        assertTable(decoder, 222, String.join("\n", ":status: 307", location, date, cache));
        String later = "date: Mon, 21 Oct 2013 20:13:22 GMT";
        String coding = "content-encoding: gzip";
        String cookie = "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1";
        String[] thirdList = {":status: 200", cache, later, location, coding, cookie};
        assertEquals(String.join("\n", thirdList) + "\n", decode(decoder, third));
        assertTable(decoder, 215, String.join("\n", cookie, coding, later));
    }

    private static String decode(HpackDecoder decoder, String hex) {
        byte[] block = Hex.bytes(hex);
        var list = new HeaderList();
        list.begin(Integer.MAX_VALUE, 1_000);
        assertNull(decoder.decode(block, 0, block.length, list));
        return Lists.text(list);
    }

    private static String block(HeadWriter writer) {
        return Hex.of(writer.bytes(), writer.length());
    }

    private static void assertTable(HpackDecoder decoder, int size, String entries) {
        assertEquals(entries, decoder.table().toString());
        assertEquals(size, decoder.table().size());
    }
}
