package dev.tandem.lab;

import dev.tandem.pagecache.CacheOptions;
import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.CompressionMode;
import dev.tandem.pagecache.PageCodec;
import dev.tandem.pagecache.Replacement;
import java.util.List;

/// A form of the cache: `kernel`, `off`, `lru`, `sync`, `lz4`, `async`, `stored`,
/// `async-lru`, or `shareNN`, of which NN percent are for compressed pages. The suffix `-random`
/// stands for incompressible files.
///
/// @param name of the cache alone
/// @param isRandom whether its files are incompressible
record PageForm(String name, boolean isRandom) {
    static final String KERNEL = "kernel";
    static final String LRU = "lru";
    static final String ASYNC = "async";
    static final String ASYNC_LRU = "async-lru";
    static final String STORED = "stored";
    static final String RANDOM = "-random";

    private static final String NAMES =
            "kernel|off|lru|sync|lz4|async|stored|async-lru|share([0-8][0-9]|90)";

    /// @throws LabException if there is no such form
    static PageForm of(String text) throws LabException {
        boolean isRandom = text.endsWith(RANDOM);
        String name = isRandom ? text.substring(0, text.length() - RANDOM.length()) : text;
        if (!name.matches(NAMES)) {
            throw new LabException("--forms has no form '" + text + "'");
        }
        return new PageForm(name, isRandom);
    }

    /// @throws LabException if there is no such form
    static void checked(String text) throws LabException {
        PageForm _ = of(text);
    }

    boolean isKernels() {
        return name.equals(KERNEL);
    }

    /// Whether its clients accept the stored encoding.
    boolean isStored() {
        return name.equals(STORED);
    }

    /// Returns the options of `tandem serve` for it.
    ///
    /// @param mebibytes for pages
    List<String> words(int mebibytes) {
        String size = mebibytes + "m";
        return switch (name) {
            case KERNEL -> List.of();
            case "off" -> List.of("--page-cache", "0");
            case LRU -> List.of("--page-cache", size + ",none,lru");
            case "sync", "lz4" -> List.of("--page-cache", size + "," + name);
            case ASYNC, STORED -> List.of("--page-cache", size);
            case ASYNC_LRU -> List.of("--page-cache", size + ",lru");
            default -> List.of("--page-cache", size + ",share=0." + share());
        };
    }

    private String share() {
        return name.substring("share".length());
    }

    /// The same, for a cache in this process.
    CacheOptions options(int mebibytes) {
        CacheOptions whole = CacheOptions.DEFAULT.withBytes((long) mebibytes << 20);
        return switch (name) {
            case "off" -> whole.withBytes(0);
            case LRU ->
                    whole.withCompression(CompressionMode.NONE).withReplacement(Replacement.LRU);
            case ASYNC_LRU -> whole.withReplacement(Replacement.LRU);
            case "sync" -> whole.withCompression(CompressionMode.SYNC);
            case ASYNC, STORED, "lz4" -> whole;
            default -> whole.withCompressedShare(Double.parseDouble("0." + share()));
        };
    }

    CompressionEngine engine() {
        return CompressionEngine.of(name.equals("lz4") ? PageCodec.lz4() : PageCodec.zstd(1));
    }
}
