package dev.tandem.testing;

import dev.tandem.http.BodyMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A request of a test: its parts are set in any order, then [#send()] sends it. Not safe for use
/// by several threads.
public final class TestRequest {
    /// Occurs in no content: it is not random, so that a request is always the same.
    private static final String BOUNDARY = "----TandemTesting7MA4YWxkTrZu0gW";

    private final Transport transport;
    private final Mapper mapper;
    private final String method;
    private final String target;
    private final List<String> headers = new ArrayList<>();
    private final List<FormPart> form = new ArrayList<>();
    private @Nullable String type;
    private byte[] body = {};

    /// A field or file of a form.
    ///
    /// @param fileName null for a field
    private record FormPart(String name, @Nullable String fileName, byte[] content) {
        String text() {
            return new String(content, StandardCharsets.UTF_8);
        }
    }

    TestRequest(Transport transport, Mapper mapper, String method, String target) {
        this.transport = transport;
        this.mapper = mapper;
        this.method = method;
        this.target = target;
    }

    /// Adds a header.
    public TestRequest header(String name, String value) {
        headers.add(name);
        headers.add(value);
        return this;
    }

    /// Sets the body: an object, as the mapper writes it.
    ///
    /// @throws IllegalStateException if there is no mapper
    public TestRequest json(@Nullable Object value) {
        BodyMapper with = mapper.required();
        var bytes = new ByteArrayOutputStream();
        try {
            with.write(value, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return body(with.mediaType(), bytes.toByteArray());
    }

    /// Sets the body: plain text in UTF-8.
    public TestRequest text(String text) {
        return body("text/plain; charset=utf-8", text);
    }

    /// Sets the body: text in UTF-8.
    ///
    /// @param type its media type
    public TestRequest body(String type, String text) {
        return body(type, text.getBytes(StandardCharsets.UTF_8));
    }

    /// Sets the body.
    ///
    /// @param type its media type
    public TestRequest body(String type, byte[] bytes) {
        this.type = type;
        this.body = bytes.clone();
        return this;
    }

    /// Adds a field of a form, which is the body then.
    public TestRequest field(String name, String value) {
        form.add(new FormPart(name, null, value.getBytes(StandardCharsets.UTF_8)));
        return this;
    }

    /// Adds a file of a form, which is the body then, as `multipart/form-data`.
    public TestRequest file(String name, String fileName, byte[] content) {
        form.add(new FormPart(name, fileName, content.clone()));
        return this;
    }

    /// Sends the request, and returns its response when that is complete.
    ///
    /// @throws UncheckedIOException if the response is not complete, since its handler has failed
    ///     after it had begun
    public TestResponse send() {
        try {
            Exchanged exchanged = transport.exchange(outgoing());
            return new TestResponse(exchanged, mapper, method + " " + target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /// Sends the request, and returns the lines of its response as they come, such as those of
    /// events. The caller closes them, which disconnects.
    ///
    /// @throws UncheckedIOException if there is no response
    /// @throws UnsupportedOperationException if the server is in memory
    public Stream<String> lines() {
        try {
            return transport.lines(outgoing());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static UncheckedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new UncheckedIOException(new InterruptedIOException("interrupted"));
    }

    private Outgoing outgoing() {
        if (form.stream().anyMatch(part -> part.fileName() != null)) {
            body("multipart/form-data; boundary=" + BOUNDARY, multipart());
        } else if (!form.isEmpty()) {
            body("application/x-www-form-urlencoded", urlEncoded());
        }
        var all = new ArrayList<>(headers);
        if (type != null) {
            all.add("Content-Type");
            all.add(type);
        }
        return new Outgoing(method, target, all, body);
    }

    private String urlEncoded() {
        return form.stream()
                .map(part -> encoded(part.name()) + "=" + encoded(part.text()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /// RFC 7578.
    private byte[] multipart() {
        var bytes = new ByteArrayOutputStream();
        for (FormPart part : form) {
            String name = "form-data; name=\"" + quoted(part.name()) + "\"";
            String file =
                    part.fileName() == null
                            ? ""
                            : "; filename=\""
                                    + quoted(part.fileName())
                                    + "\"\r\nContent-Type: application/octet-stream";
            String head = "--" + BOUNDARY + "\r\nContent-Disposition: " + name + file + "\r\n\r\n";
            bytes.writeBytes(head.getBytes(StandardCharsets.UTF_8));
            bytes.writeBytes(part.content());
            bytes.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        bytes.writeBytes(("--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII));
        return bytes.toByteArray();
    }

    /// As browsers write names (WHATWG HTML, section 4.10.21.8).
    private static String quoted(String name) {
        return name.replace("\r", "%0D").replace("\n", "%0A").replace("\"", "%22");
    }
}
