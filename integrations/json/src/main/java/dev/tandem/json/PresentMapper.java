package dev.tandem.json;

import dev.tandem.http.BodyMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/// The mapper of the library that is present: Jackson, else Gson. Created by
/// [java.util.ServiceLoader]. Safe for use by any thread.
public final class PresentMapper implements BodyMapper {
    private final BodyMapper present = present();

    /// @throws IllegalStateException if the application has neither
    public PresentMapper() {}

    private static BodyMapper present() {
        if (isPresent("tools.jackson.databind.ObjectMapper")) {
            return new JacksonMapper();
        }
        if (isPresent("com.google.gson.Gson")) {
            return new GsonMapper();
        }
        throw new IllegalStateException("add Jackson 3 (jackson-databind) or Gson");
    }

    private static boolean isPresent(String type) {
        try {
            Class.forName(type, false, PresentMapper.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException _) {
            return false;
        }
    }

    @Override
    public String mediaType() {
        return present.mediaType();
    }

    @Override
    public boolean canRead(String mediaType) {
        return present.canRead(mediaType);
    }

    @Override
    public Object read(InputStream body, Type type) throws IOException {
        return present.read(body, type);
    }

    @Override
    public void write(@Nullable Object value, OutputStream to) throws IOException {
        present.write(value, to);
    }
}
