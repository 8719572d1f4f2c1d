package dev.tandem.testing;

import dev.tandem.http.Headers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A complete response. Immutable.
public final class TestResponse {
    private static final Pattern CHARSET = Pattern.compile("(?i);\\s*charset=\"?([^\";\\s]+)");

    private final Exchanged exchanged;
    private final Mapper mapper;
    private final String request;

    /// @param request its request line, for messages
    TestResponse(Exchanged exchanged, Mapper mapper, String request) {
        this.exchanged = exchanged;
        this.mapper = mapper;
        this.request = request;
    }

    public int status() {
        return exchanged.status();
    }

    /// Fails the test if the status is another one, with the whole response.
    ///
    /// @throws AssertionError if it is
    public TestResponse expect(int status) {
        if (status() != status) {
            throw new AssertionError(
                    request + ": expected " + status + ", the response is " + this);
        }
        return this;
    }

    /// Returns the first header with that name; null if there is none.
    public @Nullable String header(String name) {
        return headers().first(name);
    }

    public Headers headers() {
        return exchanged.headers();
    }

    /// Returns the body; empty if there is none.
    public byte[] bytes() {
        return exchanged.body().clone();
    }

    /// Returns the body as text, in the charset of its type, else in UTF-8.
    public String text() {
        String type = header("Content-Type");
        Matcher charset = CHARSET.matcher(type == null ? "" : type);
        return new String(
                exchanged.body(),
                charset.find() ? Charset.forName(charset.group(1)) : StandardCharsets.UTF_8);
    }

    /// Returns the body as an object, by the mapper.
    ///
    /// @throws dev.tandem.http.HttpException if it does not map to the type; says where and why
    /// @throws IllegalStateException if there is no mapper
    public <T> T body(Class<T> type) {
        try {
            var in = new ByteArrayInputStream(exchanged.body());
            return type.cast(mapper.required().read(in, type));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns status, headers and text, for messages.
    @Override
    public String toString() {
        return status() + "\n" + headers() + "\n" + text();
    }
}
