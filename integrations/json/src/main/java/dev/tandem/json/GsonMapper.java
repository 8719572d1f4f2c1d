package dev.tandem.json;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonIOException;
import com.google.gson.JsonParseException;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import dev.tandem.http.BodyMapper;
import dev.tandem.http.HttpException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.reflect.Type;
import java.net.URISyntaxException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Maps JSON by Gson. A document has a million tokens at most, values, names, and brackets, by a
/// Gson of the application, too: it has no such limit of its own. Safe for use by any thread.
public final class GsonMapper implements BodyMapper {
    private final Gson gson;

    /// @param gson configured by the application
    public GsonMapper(Gson gson) {
        this.gson = gson;
    }

    /// Uses Gson's defaults, except that it accepts nothing but JSON (RFC 8259).
    public GsonMapper() {
        this(new GsonBuilder().setStrictness(com.google.gson.Strictness.STRICT).create());
    }

    @Override
    public String mediaType() {
        return "application/json";
    }

    @Override
    public boolean canRead(String mediaType) {
        return JsonType.matches(mediaType);
    }

    @Override
    public Object read(InputStream body, Type type) throws IOException {
        // A decoder that is made for a charset would replace what is malformed.
        var text = new InputStreamReader(body, StandardCharsets.UTF_8.newDecoder());
        JsonReader reader = CountingReader.of(gson, text);
        try {
            Object read = gson.fromJson(reader, type);
            if (reader.peek() != JsonToken.END_DOCUMENT) {
                throw new HttpException(400, JsonType.problem("", "more follows the document"));
            }
            return JsonType.notNull(read);
        } catch (JsonParseException | MalformedJsonException | EOFException e) {
            if (e instanceof JsonIOException && !(e.getCause() instanceof URISyntaxException)) {
                throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
            }
            if (e.getCause() instanceof CharacterCodingException) {
                throw new HttpException(400, JsonType.problem(place(reader), JsonType.NOT_UTF_8));
            }
            throw new HttpException(400, JsonType.problem(place(reader), reason(e)));
        } catch (RuntimeException e) {
            throw rejection(e, reader);
        }
    }

    /// Returns what is thrown in place of an exception of a type that rejects its values: of a
    /// record's constructor, which Gson wraps in one without a type of its own, or of a collection
    /// that has no place for null, or none for such a value.
    private static RuntimeException rejection(RuntimeException e, JsonReader reader) {
        RuntimeException thrown = e;
        if (e.getClass().equals(RuntimeException.class)
                && e.getCause() instanceof RuntimeException cause) {
            thrown = cause;
        }
        boolean isOfValues =
                thrown != e
                        || e instanceof NullPointerException
                        || e instanceof ClassCastException
                        || e instanceof IllegalArgumentException;
        return thrown instanceof HttpException || !isOfValues
                ? thrown
                : new HttpException(400, JsonType.problem(place(reader), thrown.getMessage()));
    }

    private static String place(JsonReader reader) {
        return reader.getPath().replaceFirst("^\\$\\.?", "");
    }

    /// Returns the message of the exception that says most.
    private static @Nullable String reason(Throwable e) {
        Throwable cause = e.getCause();
        return cause == null ? e.getMessage() : cause.getMessage();
    }

    @Override
    public void write(@Nullable Object value, OutputStream to) throws IOException {
        Writer writer = new OutputStreamWriter(to, StandardCharsets.UTF_8);
        try {
            gson.toJson(value, writer);
        } catch (JsonIOException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
        }
        writer.flush();
    }
}
