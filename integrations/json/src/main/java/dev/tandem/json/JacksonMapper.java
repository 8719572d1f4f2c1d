package dev.tandem.json;

import dev.tandem.http.BodyMapper;
import dev.tandem.http.HttpException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/// Maps JSON by Jackson 3. Safe for use by any thread.
public final class JacksonMapper implements BodyMapper {
    private final ObjectMapper mapper;

    /// @param mapper configured by the application
    public JacksonMapper(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /// Uses Jackson's defaults with the modules on the class path, except that a body ends with its
    /// document, and that messages repeat nothing of it.
    public JacksonMapper() {
        this(
                JsonMapper.builder()
                        .findAndAddModules()
                        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                        .enable(
                                tools.jackson.databind.DeserializationFeature
                                        .FAIL_ON_TRAILING_TOKENS)
                        .build());
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
        try {
            Object read = mapper.readValue(body, mapper.constructType(type));
            return JsonType.notNull(read);
        } catch (JacksonIOException e) {
            throw e.getCause();
        } catch (DatabindException e) {
            throw new HttpException(
                    400, JsonType.problem(path(e.getPath()), e.getOriginalMessage()));
        } catch (JacksonException e) {
            String at = "line " + e.getLocation().getLineNr();
            throw new HttpException(400, JsonType.problem(at, e.getOriginalMessage()));
        }
    }

    /// Returns the path in the document, such as `items[3].price`.
    private static String path(List<JacksonException.Reference> references) {
        var path = new StringBuilder();
        for (JacksonException.Reference reference : references) {
            String name = reference.getPropertyName();
            if (name == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(name);
            }
        }
        return path.toString();
    }

    @Override
    public void write(@Nullable Object value, OutputStream to) throws IOException {
        try {
            mapper.writeValue(to, value);
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }
}
