package dev.tandem.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Reads the [Part]s of a multipart body, within the limits.
final class FormReader {
    private final MultipartParser body;
    private final FormLimits limits;
    private final Path directory;
    private int memoryLeft;

    FormReader(MultipartParser body, FormLimits limits, Path directory) {
        this.body = body;
        this.limits = limits;
        this.directory = directory;
        this.memoryLeft = limits.memoryMaxBytes();
    }

    /// Adds each part to `parts` as soon as it has a resource to close.
    void readAll(List<Part> parts) throws IOException {
        while (body.nextPart()) {
            if (parts.size() == limits.partsMax()) {
                throw new HttpException(413, "a form has at most " + limits.partsMax() + " parts");
            }
            Headers headers = readHeaders();
            var content = new Spool(Math.min(limits.partMemoryMaxBytes(), memoryLeft), directory);
            parts.add(part(headers, content));
            readContent(content);
        }
    }

    private Headers readHeaders() throws IOException {
        var names = new ArrayList<String>();
        var values = new ArrayList<String>();
        for (String line = body.readLine(); !line.isEmpty(); line = body.readLine()) {
            int colon = line.indexOf(':');
            if (colon < 0 || !FieldSyntax.isToken(line.substring(0, colon))) {
                throw malformed("a part's header line is not name: value");
            }
            names.add(line.substring(0, colon));
            values.add(line.substring(colon + 1).strip());
        }
        return Headers.of(
                names.toArray(new String[0]), values.toArray(new String[0]), names.size());
    }

    private static Part part(Headers headers, Spool content) {
        String field = headers.first("Content-Disposition");
        var disposition = MediaType.parse(field == null ? "" : field);
        if (!disposition.isComplete()) {
            throw malformed("a part's Content-Disposition has an unterminated quoted string");
        }
        String name = disposition.parameter("name");
        if (!disposition.value().equals("form-data") || name == null) {
            throw malformed("a part has no Content-Disposition: form-data with a name");
        }
        String encoding = headers.first("Content-Transfer-Encoding");
        if (encoding != null && !isIdentity(encoding)) {
            throw malformed("a part has a transfer encoding, which forms must not have");
        }
        return new Part(name, disposition.parameter("filename"), headers, content);
    }

    /// RFC 7578, section 4.7, deprecates the header; these values have no effect.
    private static boolean isIdentity(String encoding) {
        return switch (encoding.toLowerCase(Locale.ROOT)) {
            case "binary", "8bit", "7bit" -> true;
            default -> false;
        };
    }

    private void readContent(Spool content) throws IOException {
        int length;
        while ((length = body.readContent()) >= 0) {
            if (content.size() + length > limits.partMaxBytes()) {
                throw new HttpException(
                        413, "a part has at most " + limits.partMaxBytes() + " bytes");
            }
            content.write(body.buffer(), body.contentOffset(), length);
        }
        content.finish();
        memoryLeft -= content.memoryBytes();
    }

    private static HttpException malformed(String reason) {
        return new HttpException(400, reason);
    }
}
