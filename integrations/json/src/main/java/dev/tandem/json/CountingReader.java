package dev.tandem.json;

import com.google.gson.Gson;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.MalformedJsonException;
import java.io.IOException;
import java.io.Reader;

/// Reads JSON for Gson, as far as a document has no more than [JsonType#TOKENS_MAX] tokens: values,
/// names, and brackets. What is skipped counts as one.
final class CountingReader extends JsonReader {
    private long tokens;

    private CountingReader(Reader text) {
        super(text);
    }

    /// Returns a reader with the settings of Gson's own.
    static JsonReader of(Gson gson, Reader text) {
        JsonReader plain = gson.newJsonReader(text);
        var counting = new CountingReader(text);
        counting.setStrictness(plain.getStrictness());
        counting.setNestingLimit(plain.getNestingLimit());
        return counting;
    }

    private void count() throws MalformedJsonException {
        tokens++;
        if (tokens > JsonType.TOKENS_MAX) {
            throw new MalformedJsonException("more than " + JsonType.TOKENS_MAX + " tokens");
        }
    }

    @Override
    public void beginArray() throws IOException {
        count();
        super.beginArray();
    }

    @Override
    public void endArray() throws IOException {
        count();
        super.endArray();
    }

    @Override
    public void beginObject() throws IOException {
        count();
        super.beginObject();
    }

    @Override
    public void endObject() throws IOException {
        count();
        super.endObject();
    }

    @Override
    public String nextName() throws IOException {
        count();
        return super.nextName();
    }

    @Override
    public String nextString() throws IOException {
        count();
        return super.nextString();
    }

    @Override
    public boolean nextBoolean() throws IOException {
        count();
        return super.nextBoolean();
    }

    @Override
    public void nextNull() throws IOException {
        count();
        super.nextNull();
    }

    @Override
    public double nextDouble() throws IOException {
        count();
        return super.nextDouble();
    }

    @Override
    public long nextLong() throws IOException {
        count();
        return super.nextLong();
    }

    @Override
    public int nextInt() throws IOException {
        count();
        return super.nextInt();
    }

    @Override
    public void skipValue() throws IOException {
        count();
        super.skipValue();
    }
}
