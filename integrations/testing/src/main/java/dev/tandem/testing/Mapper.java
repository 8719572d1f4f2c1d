package dev.tandem.testing;

import dev.tandem.http.BodyMapper;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// What converts objects to bodies and back: looked for when it is needed, unless it was set.
final class Mapper {
    private volatile @Nullable BodyMapper chosen;

    void set(BodyMapper mapper) {
        chosen = mapper;
    }

    /// @throws IllegalStateException if there is none
    BodyMapper required() {
        BodyMapper known = chosen;
        if (known == null) {
            known = found();
            chosen = known;
        }
        return known;
    }

    private static BodyMapper found() {
        return ServiceLoader.load(BodyMapper.class)
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "no BodyMapper: add tandem-json with Jackson or Gson, or"
                                                + " set one by mapper(...)"));
    }
}
