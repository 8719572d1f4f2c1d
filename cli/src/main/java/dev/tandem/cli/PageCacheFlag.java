package dev.tandem.cli;

import dev.tandem.cache.CacheOptions;
import dev.tandem.cache.Compression;
import dev.tandem.cache.Replacement;
import dev.tandem.config.PageCacheSettings;
import dev.tandem.config.PageCacheSettings.Codec;
import java.util.Locale;

/// What `--page-cache` asks for: `SIZE` or `auto`, and behind commas how, for those who compare:
/// `none`, `sync` or `async`; `lz4` or `zstd`; `lru`; `share=0.8`.
final class PageCacheFlag {
    private static final String SHARE = "share=";

    private PageCacheFlag() {}

    /// @throws IllegalArgumentException if it says something else; names it
    static PageCacheSettings parse(String text) {
        String[] words = text.split(",", -1);
        CacheOptions options =
                words[0].equals("auto")
                        ? CacheOptions.ofThisMachine()
                        : CacheOptions.DEFAULT.withBytes(size(words[0]));
        PageCacheSettings settings = PageCacheSettings.DEFAULT.withOptions(options);
        for (int i = 1; i < words.length; i++) {
            settings =
                    switch (words[i]) {
                        case "lz4" -> settings.withCodec(Codec.LZ4);
                        case "zstd" -> settings.withCodec(Codec.ZSTD);
                        default -> settings.withOptions(refined(settings.options(), words[i]));
                    };
        }
        return settings;
    }

    private static CacheOptions refined(CacheOptions options, String word) {
        return switch (word) {
            case "none", "sync", "async" ->
                    options.withCompression(Compression.valueOf(word.toUpperCase(Locale.ROOT)));
            case "lru" -> options.withReplacement(Replacement.LRU);
            default -> {
                if (!word.matches(SHARE + "0(\\.[0-9]{1,4})?")) {
                    throw new IllegalArgumentException("cannot read '" + word + "'");
                }
                yield options.withCompressedShare(
                        Double.parseDouble(word.substring(SHARE.length())));
            }
        };
    }

    /// Such as `65536`, `512k`, `64m`, `2g`.
    static long size(String text) {
        if (!text.matches("[0-9]{1,12}[kmgKMG]?")) {
            throw new IllegalArgumentException("must be a size such as 64m, was '" + text + "'");
        }
        int shift =
                switch (Character.toLowerCase(text.charAt(text.length() - 1))) {
                    case 'k' -> 10;
                    case 'm' -> 20;
                    case 'g' -> 30;
                    default -> 0;
                };
        return Long.parseLong(shift == 0 ? text : text.substring(0, text.length() - 1)) << shift;
    }
}
