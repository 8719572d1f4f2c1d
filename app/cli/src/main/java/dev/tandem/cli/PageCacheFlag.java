package dev.tandem.cli;

import dev.tandem.config.PageCacheSettings;
import dev.tandem.config.PageCacheSettings.Codec;
import dev.tandem.pagecache.CacheOptions;
import dev.tandem.pagecache.CompressionMode;
import dev.tandem.pagecache.Replacement;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses `--page-cache`: `SIZE` or `auto`, optionally followed by settings for comparisons,
/// separated by commas: `none`, `sync` or `async`; `lz4` or `zstd`; `lru`; `share=0.8`.
final class PageCacheFlag {
    private static final String SHARE = "share=";
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})(|k|m|g)(?:(?<=[kmg])ib)?");

    private PageCacheFlag() {}

    /// @throws IllegalArgumentException if it is malformed; names the part
    static PageCacheSettings parse(String text) {
        String[] words = text.split(",", -1);
        CacheOptions options =
                words[0].equals("auto")
                        ? CacheOptions.forThisMachine()
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
                    options.withCompression(CompressionMode.valueOf(word.toUpperCase(Locale.ROOT)));
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

    /// Parses sizes such as `65536`, `512k`, `64m`, `2g`; or as in a file, `2GiB`.
    static long size(String text) {
        Matcher size = SIZE.matcher(text.toLowerCase(Locale.ROOT));
        if (!size.matches()) {
            throw new IllegalArgumentException("must be a size such as 64m, was '" + text + "'");
        }
        long count = Long.parseLong(size.group(1));
        int shift =
                switch (size.group(2)) {
                    case "k" -> 10;
                    case "m" -> 20;
                    case "g" -> 30;
                    default -> 0;
                };
        if (count > Long.MAX_VALUE >> shift) {
            throw new IllegalArgumentException("is too large: '" + text + "'");
        }
        return count << shift;
    }
}
