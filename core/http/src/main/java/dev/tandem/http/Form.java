package dev.tandem.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A submitted form: `application/x-www-form-urlencoded`, or `multipart/form-data` (RFC 7578),
/// whose large parts are stored in temporary files until it is closed. Confined to one thread at a
/// time.
public final class Form implements AutoCloseable {
    private final Parameters fields;
    private final List<Part> parts;

    private Form(Parameters fields, List<Part> parts) {
        this.fields = fields;
        this.parts = parts;
    }

    /// Reads a complete form. Blocks as `body` does. Leaves no file behind if it throws an
    /// exception.
    ///
    /// @param contentType the Content-Type of the request; empty if it has none
    /// @throws HttpException 415 if it has neither type, 400 if it is malformed, 413 if it exceeds
    ///     a limit
    /// @throws IOException if `body` throws one, or a part cannot be written to disk
    public static Form read(String contentType, InputStream body, FormLimits limits)
            throws IOException {
        return read(contentType, body, limits, Path.of(System.getProperty("java.io.tmpdir")));
    }

    /// Reads a complete form, with its temporary files in the given directory instead of the
    /// system's default.
    public static Form read(String contentType, InputStream body, FormLimits limits, Path directory)
            throws IOException {
        var type = MediaType.parse(contentType);
        return switch (type.value()) {
            case "application/x-www-form-urlencoded" -> urlencoded(body, limits);
            case "multipart/form-data" -> multipart(reader(type, body, limits, directory));
            default ->
                    throw new HttpException(
                            415,
                            "a form is application/x-www-form-urlencoded or multipart/form-data");
        };
    }

    /// Returns the first value of a field. Files are not fields; see [#parts()].
    ///
    /// @throws UncheckedIOException if the value is stored on disk because of its length, and
    ///     cannot be read
    public @Nullable String first(String name) {
        for (Part part : parts) {
            if (!part.isFile() && part.name().equals(name)) {
                return text(part);
            }
        }
        return fields.first(name);
    }

    /// Returns all values of a field, in the order sent.
    ///
    /// @throws UncheckedIOException if a value is stored on disk because of its length, and cannot
    ///     be read
    public List<String> all(String name) {
        if (parts.isEmpty()) {
            return fields.all(name);
        }
        var values = new ArrayList<String>();
        for (Part part : parts) {
            if (!part.isFile() && part.name().equals(name)) {
                values.add(text(part));
            }
        }
        return List.copyOf(values);
    }

    /// Returns the name of each field once, in the order of its first occurrence, without those of
    /// files.
    public List<String> names() {
        if (parts.isEmpty()) {
            return fields.names();
        }
        var names = new LinkedHashSet<String>();
        for (Part part : parts) {
            if (!part.isFile()) {
                names.add(part.name());
            }
        }
        return List.copyOf(names);
    }

    /// Returns the first part with that name, file or field; null in a URL-encoded form, which has
    /// no parts.
    public @Nullable Part part(String name) {
        for (Part part : parts) {
            if (part.name().equals(name)) {
                return part;
            }
        }
        return null;
    }

    /// Returns all parts, in the order sent; empty for a URL-encoded form.
    public List<Part> parts() {
        return parts;
    }

    /// Deletes the parts on disk, whose content is then no longer available. Closing again has no
    /// effect.
    @Override
    public void close() throws IOException {
        closeAll(parts);
    }

    private static Form urlencoded(InputStream body, FormLimits limits) throws IOException {
        int max = limits.urlencodedMaxBytes();
        var bytes = body.readNBytes(max + 1);
        if (bytes.length > max) {
            throw new HttpException(413, "a form has at most " + max + " bytes");
        }
        var fields = new Parameters();
        if (!UrlEncoded.parse(bytes, bytes.length, limits.partsMax(), fields)) {
            throw new HttpException(413, "a form has at most " + limits.partsMax() + " fields");
        }
        return new Form(fields, List.of());
    }

    private static FormReader reader(
            MediaType type, InputStream body, FormLimits limits, Path directory) {
        String boundary = type.parameter("boundary");
        if (boundary == null || !MultipartParser.isBoundary(boundary)) {
            throw new HttpException(400, "multipart/form-data without a valid boundary");
        }
        return new FormReader(new MultipartParser(body, boundary, limits), limits, directory);
    }

    private static Form multipart(FormReader reader) throws IOException {
        var parts = new ArrayList<Part>();
        boolean isWhole = false;
        try {
            reader.readAll(parts);
            isWhole = true;
        } finally {
            if (!isWhole) {
                closeAll(parts);
            }
        }
        return new Form(new Parameters(), List.copyOf(parts));
    }

    /// Closes every part, even if closing some of them fails.
    private static void closeAll(List<Part> parts) throws IOException {
        IOException failure = null;
        for (Part part : parts) {
            try {
                part.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static String text(Part part) {
        try {
            return part.text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
