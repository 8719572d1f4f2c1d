package dev.tandem.json;

import dev.tandem.http.BodyMapper;
import dev.tandem.http.HttpException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.deser.jdk.NumberDeserializers;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/// Maps JSON by Jackson 3. Safe for use by any thread.
public final class JacksonMapper implements BodyMapper {
    private static final int SCALE_MAX = 10_000;

    private static final String HUGE = "a number has a scale of " + SCALE_MAX + " at most";
    private static final KeyDeserializer DECIMAL_KEYS =
            new BoundedKeys(BigDecimal.class, BigDecimal::new);
    private static final KeyDeserializer INTEGER_KEYS =
            new BoundedKeys(BigInteger.class, BigInteger::new);

    private final ObjectMapper mapper;

    /// @param mapper configured by the application
    public JacksonMapper(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /// Uses Jackson's defaults with the modules on the class path, except that a body ends with its
    /// document, that messages repeat nothing of it, and that no short number becomes a huge one:
    /// `1e100000` is no [BigInteger], and a [BigDecimal] has a scale of 10,000 at most, also as
    /// a key. A document has a million tokens at most: values, names, and brackets.
    public JacksonMapper() {
        this(
                JsonMapper.builder(
                                JsonFactory.builder()
                                        .streamReadConstraints(
                                                StreamReadConstraints.builder()
                                                        .maxTokenCount(JsonType.TOKENS_MAX)
                                                        .build())
                                        .build())
                        .addModule(
                                new SimpleModule()
                                        .addDeserializer(BigDecimal.class, new BoundedDecimals())
                                        .addKeyDeserializer(BigDecimal.class, DECIMAL_KEYS)
                                        .addKeyDeserializer(BigInteger.class, INTEGER_KEYS))
                        .withCoercionConfig(
                                BigInteger.class,
                                as -> as.setCoercion(CoercionInputShape.Float, CoercionAction.Fail))
                        .findAndAddModules()
                        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                        .enable(
                                tools.jackson.databind.DeserializationFeature
                                        .FAIL_ON_TRAILING_TOKENS)
                        .build());
    }

    /// With the limit that Gson has: what is done with such a number, such as rounding it to cents,
    /// may take as many digits as its exponent says.
    private static final class BoundedDecimals extends NumberDeserializers.BigDecimalDeserializer {
        @Override
        public BigDecimal deserialize(JsonParser from, DeserializationContext context) {
            BigDecimal read = super.deserialize(from, context);
            if (read != null && isHuge(read)) {
                return context.reportInputMismatch(this, HUGE);
            }
            return read;
        }
    }

    private static boolean isHuge(BigDecimal number) {
        return Math.abs((long) number.scale()) > SCALE_MAX;
    }

    /// Keys of maps, which are strings to Jackson, so that its own limit of a number's length does
    /// not hold for them, either.
    private static final class BoundedKeys extends KeyDeserializer {
        private final Class<?> type;
        private final Function<String, Object> conversion;

        BoundedKeys(Class<?> type, Function<String, Object> conversion) {
            this.type = type;
            this.conversion = conversion;
        }

        @Override
        public Object deserializeKey(String key, DeserializationContext context) {
            if (key.length() > StreamReadConstraints.DEFAULT_MAX_NUM_LEN) {
                return context.handleWeirdKey(type, key, "a number is too long");
            }
            try {
                Object read = conversion.apply(key);
                return read instanceof BigDecimal decimal && isHuge(decimal)
                        ? context.handleWeirdKey(type, key, HUGE)
                        : read;
            } catch (NumberFormatException _) {
                return context.handleWeirdKey(type, key, "not a number");
            }
        }
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
            // From bytes it would guess other charsets, and accept overlong forms.
            Reader text = new InputStreamReader(body, StandardCharsets.UTF_8.newDecoder());
            Object read = mapper.readValue(text, mapper.constructType(type));
            return JsonType.notNull(read);
        } catch (JacksonIOException e) {
            if (e.getCause() instanceof CharacterCodingException) {
                throw new HttpException(400, JsonType.problem("", JsonType.NOT_UTF_8));
            }
            throw e.getCause();
        } catch (DatabindException e) {
            if (e.getCause() instanceof HttpException own) {
                throw own; // by the body, which is too long or too slow
            }
            throw new HttpException(
                    400, JsonType.problem(path(e.getPath()), e.getOriginalMessage()));
        } catch (JacksonException e) {
            // None is known where a limit of Jackson's is exceeded.
            TokenStreamLocation at = e.getLocation();
            String line = at == null ? "" : "line " + at.getLineNr();
            throw new HttpException(400, JsonType.problem(line, e.getOriginalMessage()));
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
