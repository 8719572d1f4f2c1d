package dev.tandem.config;

import dev.tandem.pagecache.CacheOptions;
import dev.tandem.pagecache.CompressionMode;
import dev.tandem.pagecache.Engines;
import dev.tandem.pagecache.Replacement;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/// `[page_cache]`.
final class PageCacheKeys {
    private static final ValueType<String> ENGINE =
            ValueType.text(
                    "\"cache\", \"workers\", \"helper\", \"gpu\", \"auto\" or another"
                            + " engine's name",
                    Engines::checked,
                    name -> name);

    static final Section<PageCacheSettings> SECTION =
            Section.of(
                            PageCacheSettings.DEFAULT,
                            List.of(
                                    key(
                                            "size",
                                            ValueTypes.SIZE,
                                            "Maximum memory for pages, outside of the heap, in"
                                                    + " bytes.",
                                            CacheOptions::bytes,
                                            CacheOptions::withBytes),
                                    key(
                                            "compress",
                                            ValueTypes.choice(CompressionMode.class),
                                            "How evicted pages are compressed: not at all, by the"
                                                    + " thread that needs their memory, or in the"
                                                    + " background.",
                                            CacheOptions::compression,
                                            CacheOptions::withCompression),
                                    new Key<>(
                                            "codec",
                                            ValueTypes.choice(PageCacheSettings.Codec.class),
                                            "The compression; with zstd, whole files are sent as"
                                                    + " they are stored to clients that accept it.",
                                            PageCacheSettings::codec,
                                            PageCacheSettings::withCodec),
                                    new Key<>(
                                            "engine",
                                            ENGINE,
                                            "Who compresses: the cache's own threads, threads of"
                                                    + " the lowest priority, a process, a GPU, or"
                                                    + " the best of these that is here.",
                                            PageCacheSettings::engine,
                                            PageCacheSettings::withEngine),
                                    key(
                                            "replacement",
                                            ValueTypes.choice(Replacement.class),
                                            "Which page is evicted: the least recently used one,"
                                                    + " or first those used once.",
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
