package dev.tandem.cli;

import dev.tandem.cache.CacheFigures;
import dev.tandem.cache.CacheOptions;
import dev.tandem.cache.Compression;
import dev.tandem.cache.CompressionEngine;
import dev.tandem.cache.PageCache;
import dev.tandem.cache.PageCodec;
import dev.tandem.cache.Replacement;
import dev.tandem.files.Folder;
import dev.tandem.files.FolderOptions;
import dev.tandem.server.Tandem;
import dev.tandem.server.Told;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What `--page-cache` asks for: `SIZE` or `auto`, and behind commas how, for those who compare:
/// `none`, `sync` or `async`; `lz4` or `zstd`; `lru`; `share=0.8`.
///
/// @param cache null if none is asked for
record Pages(@Nullable PageCache cache) implements AutoCloseable {
    /// Small files are kept a second time, laid ready for the loop, in at most an eighth of the
    /// page cache's memory.
    private static final int READY_SHARE = 8;

    private static final String SHARE = "share=";

    static Pages of(Arguments arguments) {
        String text = arguments.value(Commands.PAGE_CACHE);
        if (text.isEmpty()) {
            return new Pages(null);
        }
        try {
            return new Pages(parse(text));
        } catch (IllegalArgumentException e) {
            throw arguments.wrong("--page-cache: " + e.getMessage());
        }
    }

    static PageCache parse(String text) {
        String[] words = text.split(",", -1);
        CacheOptions options =
                words[0].equals("auto")
                        ? CacheOptions.ofThisMachine()
                        : CacheOptions.DEFAULT.withBytes(size(words[0]));
        PageCodec codec = PageCodec.zstd(1);
        for (int i = 1; i < words.length; i++) {
            String word = words[i];
            if (word.equals("lz4")) {
                codec = PageCodec.lz4();
            } else if (!word.equals("zstd")) {
                options = refined(options, word);
            }
        }
        return PageCache.of(options, CompressionEngine.of(codec));
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

    Tandem addTo(Tandem server, Path root) {
        PageCache pages = cache;
        if (pages == null) {
            return server.get("/{path...}", Folder.of(root));
        }
        FolderOptions options = FolderOptions.DEFAULT;
        long ready = Math.min(options.cacheBytes(), pages.figures().limitBytes() / READY_SHARE);
        return server.get("/{path...}", Folder.of(root, options.withCacheBytes(ready), pages))
                .tell(() -> told(pages.figures()));
    }

    static List<Told> told(CacheFigures now) {
        double saved = now.plainHits() + now.packedHits() + now.storedHits() + now.shared();
        return List.of(
                bytes("limit", now.limitBytes(), "the most memory for pages now", "limit_bytes"),
                bytes("held", now.heldBytes(), "got from the system for pages", "held_bytes"),
                bytes("heap", now.heapBytes(), "on the heap for pages, about", "heap_bytes"),
                bytes(
                        "represented",
                        now.representedBytes(),
                        "what the pages held are of their files",
                        "represented_bytes"),
                bytes("compressed", now.packedBytes(), "of compressed pages", "compressed_bytes"),
                told(
                        "ratio",
                        now.ratio(),
                        "what compressed pages became, as a share of what they were",
                        "compression_ratio"),
                told("plain hits", now.plainHits(), "pages found as they are", "plain_hits_total"),
                told(
                        "compressed hits",
                        now.packedHits(),
                        "pages found compressed, and decompressed",
                        "compressed_hits_total"),
                told(
                        "stored hits",
                        now.storedHits(),
                        "pages sent as they are stored",
                        "stored_hits_total"),
                told("misses", now.misses(), "pages read from disk", "misses_total"),
                told(
                        "disk reads saved",
                        saved,
                        "pages asked for and not read from disk",
                        "reads_saved_total"),
                bytes("disk", now.diskBytes(), "read from disk", "disk_bytes_total"),
                told(
                        "not compressed",
                        now.skipped(),
                        "pages dropped for want of idle processors",
                        "skipped_total"),
                told("rigid", now.rigid(), "pages that did not shrink", "rigid_total"),
                told(
                        "compressing",
                        now.compressNanos() / 1e9,
                        "seconds of processors spent on compression",
                        "compress_seconds_total"),
                told(
                        "decompressing",
                        now.decompressNanos() / 1e9,
                        "seconds of processors spent on decompression",
                        "decompress_seconds_total"));
    }

    private static Told bytes(String name, long bytes, String why, String metric) {
        String value = String.format(Locale.ROOT, "%.1f MiB", bytes / 1048576.0);
        return new Told("page cache, " + name, value, why, "tandem_page_cache_" + metric, bytes);
    }

    private static Told told(String name, double value, String why, String metric) {
        String text =
                value == Math.rint(value)
                        ? String.valueOf((long) value)
                        : String.format(Locale.ROOT, "%.3f", value);
        return new Told("page cache, " + name, text, why, "tandem_page_cache_" + metric, value);
    }

    @Override
    public void close() {
        PageCache pages = cache;
        if (pages != null) {
            pages.close();
        }
    }
}
