package dev.tandem.bookstore;

import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The pictures of the books, in the size classes of TPC-W: thumbnails of 5 KB; of a hundred
/// covers, 45 have 5 KB, 35 have 10, 15 have 50, 4 have 100 and one has 250. Made once; the book's
/// number selects one.
final class Covers {
    private static final int KINDS = 100;
    private static final int KB = 1_024;

    private final byte[][] thumbnails = new byte[KINDS][];
    private final byte[][] covers = new byte[KINDS][];

    Covers() {
        for (int i = 0; i < KINDS; i++) {
            thumbnails[i] = picture(i, 80, 5 * KB);
            covers[i] = picture(i, 320, size(i));
        }
    }

    /// The size of the cover of books whose number ends so, in bytes.
    static int size(int kind) {
        if (kind < 1) {
            return 250 * KB;
        }
        if (kind < 5) {
            return 100 * KB;
        }
        if (kind < 20) {
            return 50 * KB;
        }
        return kind < 55 ? 10 * KB : 5 * KB;
    }

    void thumbnail(Exchange x) throws IOException {
        send(x, thumbnails);
    }

    void cover(Exchange x) throws IOException {
        send(x, covers);
    }

    private static void send(Exchange x, byte[][] pictures) throws IOException {
        String id = x.pathParam("item");
        if (!id.matches("[0-9]{1,9}")) {
            throw new HttpException(404, "no such picture");
        }
        x.header("Cache-Control", "public, max-age=86400")
                .contentType("image/svg+xml")
                .send(pictures[Integer.parseInt(id) % KINDS]);
    }

    /// Returns a picture, padded with spaces to this length.
    private static byte[] picture(int kind, int width, int size) {
        String svg =
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 5" width="%d" height="%d">\
                <rect width="4" height="5" fill="hsl(%d 45%% 40%%)"/>\
                <rect x=".5" y="1" width="3" height=".9" fill="hsl(%d 60%% 85%%)"/>\
                <circle cx="2" cy="3.4" r="%.2f" fill="hsl(%d 50%% 65%%)"/></svg>
                """
                        .formatted(
                                width,
                                width * 5 / 4,
                                kind * 18 % 360,
                                kind * 18 % 360,
                                0.3 + kind % 7 * 0.1,
                                kind * 47 % 360);
        var bytes = new byte[size];
        Arrays.fill(bytes, (byte) ' ');
        byte[] text = svg.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, bytes, 0, text.length);
        return bytes;
    }
}
