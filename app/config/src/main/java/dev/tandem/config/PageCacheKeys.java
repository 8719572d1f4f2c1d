package dev.tandem.config;

import dev.tandem.cache.CacheOptions;
import dev.tandem.cache.CompressionMode;
import dev.tandem.cache.Replacement;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/// `[page_cache]`.
final class PageCacheKeys {
    static final Section<PageCacheSettings> SECTION =
            Section.of(
                            PageCacheSettings.DEFAULT,
                            List.of(
                                    key(
                                            "size",
                                            ValueTypes.SIZE,
                                            "The most memory for pages, outside of the heap, in"
                                                    + " bytes.",
                                            CacheOptions::bytes,
                                            CacheOptions::withBytes),
                                    key(
                                            "compress",
                                            ValueTypes.choice(CompressionMode.class),
                                            "Who compresses the pages that have to go: no one,"
                                                    + " whoever needs their room, or threads in the"
                                                    + " background.",
                                            CacheOptions::compression,
                                            CacheOptions::withCompression),
                                    new Key<>(
                                            "codec",
                                            ValueTypes.choice(PageCacheSettings.Codec.class),
                                            "By what; of zstd, whole files are sent as they are"
                                                    + " stored to those who take it.",
                                            PageCacheSettings::codec,
                                            PageCacheSettings::withCodec),
                                    key(
                                            "replacement",
                                            ValueTypes.choice(Replacement.class),
                                            "Which page goes: the one not asked for for the longest"
                                                    + " time, or first those asked for once.",
                                            CacheOptions::replacement,
                                            CacheOptions::withReplacement)))
                    .requiring("size");

    private PageCacheKeys() {}

    private static <V> Key<PageCacheSettings, V> key(
            String name,
            ValueType<V> kind,
            String help,
            Function<CacheOptions, V> get,
            BiFunction<CacheOptions, V, CacheOptions> set) {
        return new Key<>(
                name,
                kind,
                help,
                settings -> get.apply(settings.options()),
                (settings, value) -> settings.withOptions(set.apply(settings.options(), value)));
    }
}
