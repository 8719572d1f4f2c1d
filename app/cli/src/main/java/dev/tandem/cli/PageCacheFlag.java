package dev.tandem.cli;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Option;
import dev.tandem.config.PageCacheSettings;
import dev.tandem.config.PageCacheSettings.Codec;
import dev.tandem.pagecache.CacheOptions;
import dev.tandem.pagecache.CompressionMode;
import dev.tandem.pagecache.Engines;
import dev.tandem.pagecache.PageCacheProvider;
import dev.tandem.pagecache.Replacement;
import java.util.Locale;
import java.util.Optional;

/// Parses `--page-cache`: `SIZE` or `auto`, optionally followed by settings for comparisons,
/// separated by commas: `none`, `sync` or `async`; `lz4` or `zstd`; `lru`; `share=0.8`;
/// `engine=helper`.
final class PageCacheFlag {
    private static final String SHARE = "share=";
    private static final String ENGINE = "engine=";

    static final Option OPTION =
            new Option(
                    "--page-cache",
                    "SIZE|auto",
                    "",
                    "keeps files compressed in memory, such as 64m");

    private PageCacheFlag() {}

    /// @throws dev.tandem.cli.command.Failure if the flag is malformed
    static Optional<PageCacheSettings> settings(Arguments arguments) {
        if (!arguments.has(OPTION)) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(arguments.value(OPTION)));
        } catch (IllegalArgumentException e) {
            throw arguments.usageError("--page-cache: " + e.getMessage());
        }
    }

    /// @throws IllegalArgumentException if it is malformed; names the part
    static PageCacheSettings parse(String text) {
        String[] words = text.split(",", -1);
        CacheOptions options =
                CacheOptions.DEFAULT.withBytes(new PageCacheProvider().bytes(words[0]));
        PageCacheSettings settings = PageCacheSettings.DEFAULT.withOptions(options);
        for (int i = 1; i < words.length; i++) {
            settings =
                    switch (words[i]) {
                        case "lz4" -> settings.withCodec(Codec.LZ4);
                        case "zstd" -> settings.withCodec(Codec.ZSTD);
                        case String word when word.startsWith(ENGINE) ->
                                settings.withEngine(
                                        Engines.checked(word.substring(ENGINE.length())));
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
}
