package dev.tandem.http.h2;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Header lists as text, and back.
final class Lists {
    private Lists() {}

    /// Returns one `name: value` per line.
    static String text(HeaderList list) {
        return headers(list).stream().map(h -> h + "\n").collect(Collectors.joining());
    }

    static List<String> headers(HeaderList list) {
        var headers = new ArrayList<String>();
        for (int i = 0; i < list.count(); i++) {
            headers.add(list.name(i) + ": " + list.value(i));
        }
        return headers;
    }

    /// Returns a list of `name: value`, each argument one.
    static HeaderList of(String... headers) {
        return of(Settings.SERVER.maxHeaderListSize(), headers);
    }

    static HeaderList of(int sizeMax, String... headers) {
        var block = new HeaderBlock();
        for (String header : headers) {
            int colon = header.indexOf(": ", 1);
            block.integer(0, 4, 0);
            literal(block, header.substring(0, colon));
            literal(block, header.substring(colon + 2));
        }
        var list = new HeaderList();
        list.begin(sizeMax, Http2Limits.DEFAULT.headersMax());
        String error = new HpackDecoder(4_096).decode(block.copy(), 0, block.length(), list);
        if (error != null) {
            throw new IllegalArgumentException(error);
        }
        return list;
    }

    private static void literal(HeaderBlock block, String text) {
        byte[] bytes = Hex.latin1(text);
        block.integer(0, 7, bytes.length);
        block.put(bytes);
    }
}
