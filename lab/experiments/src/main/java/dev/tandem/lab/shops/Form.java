package dev.tandem.lab.shops;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// A form as a browser sends it.
final class Form {
    private Form() {}

    /// @param fields alternating names and values
    static String of(String... fields) {
        var text = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            text.append(text.isEmpty() ? "" : "&").append(fields[i]).append('=');
            text.append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
        }
        return text.toString();
    }

    static byte[] bytes(String form) {
        return form.getBytes(StandardCharsets.US_ASCII);
    }
}
