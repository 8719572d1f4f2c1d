package dev.tandem.http;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// The mapper that is on the class path or module path, looked for once.
final class FoundMapper {
    private static final @Nullable BodyMapper FOUND =
            ServiceLoader.load(BodyMapper.class).findFirst().orElse(null);

    private FoundMapper() {}

    /// @throws IllegalStateException if there is none
    static BodyMapper required() {
        if (FOUND == null) {
            throw new IllegalStateException(
                    "no BodyMapper: add tandem-json with Jackson or Gson, or set one by"
                            + " mapper(...)");
        }
        return FOUND;
    }
}
