package dev.tandem.files;

import dev.tandem.http.Bounds;
import java.util.List;

/// Options of a [Folder]'s compression. Immutable.
///
/// Each file is compressed once, and the result is kept until the file changes or it is evicted. A
/// file that becomes smaller by less than a twentieth is sent uncompressed. While a file is being
/// compressed, other requests get it uncompressed.
///
/// @param precompressed codings of precompressed files next to the original: `app.js.br` next to
///     `app.js`. One that is more than two seconds older than the original is outdated and not
///     sent; neither are symbolic links
/// @param onDemand codings in which files are compressed on request: of `ZSTD` and `GZIP`; empty
///     for none
/// @param fileMin the smallest file to compress, in bytes; at least 0
/// @param fileMax the largest, in bytes; up to 64 MiB. It is read into memory for compression
/// @param cacheBytes maximum memory outside of the heap for results, in bytes; at least 0, which
///     disables compression on demand. Counted as in [FolderOptions#cacheBytes()]
/// @param types media types to compress, without parameters; `text/*` stands for all text types,
///     and `*+json` for all types with that suffix
public record Compression(
        List<Coding> precompressed,
        List<Coding> onDemand,
        int fileMin,
        int fileMax,
        long cacheBytes,
        List<String> types)
        implements CompressionWith {

    // Declared before the defaults, whose constructor uses them.
    private static final List<String> TYPES =
            List.of(
                    "text/*",
                    "*+json",
                    "*+xml",
                    "application/json",
                    "application/javascript",
                    "application/xml",
                    "application/wasm",
                    "application/manifest+json",
                    "application/rtf",
                    "font/ttf",
                    "font/otf",
                    "image/bmp",
                    "image/x-icon",
                    "image/vnd.microsoft.icon");

    /// No compression.
    public static final Compression OFF = new Compression(List.of(), List.of(), 0, 0, 0, List.of());

    /// - Precompressed files in all codings; zstd and gzip on demand.
    /// - From 1,024 bytes: a smaller file fits one packet in any case.
    /// - Up to 8 MiB, for which gzip takes about a quarter of a second; larger files should be
    ///   precompressed.
    /// - 32 MiB of results: about 150 MiB of scripts and styles.
    public static final Compression DEFAULT =
            new Compression(
                    List.of(Coding.values()),
                    List.of(Coding.ZSTD, Coding.GZIP),
                    1_024,
                    8 << 20,
                    32L << 20,
                    TYPES);

    /// @throws IllegalArgumentException if a value is out of range; names the value
    public Compression {
        precompressed = List.copyOf(precompressed);
        onDemand = List.copyOf(onDemand);
        types = List.copyOf(types);
        if (onDemand.contains(Coding.BROTLI)) {
            throw new IllegalArgumentException(
                    "onDemand must be zstd or gzip: brotli is only sent precompressed");
        }
        Bounds.check("fileMin", fileMin, 0, Long.MAX_VALUE);
        Bounds.check("fileMax", fileMax, 0, 64 << 20);
        Bounds.check("cacheBytes", cacheBytes, 0, Long.MAX_VALUE);
        for (String type : types) {
            int slash = type.indexOf('/');
            boolean isSuffix = type.startsWith("*+") && type.length() > 2;
            if (!isSuffix && (slash < 1 || slash == type.length() - 1 || type.contains(";"))) {
                throw new IllegalArgumentException(
                        "types must be as text/html, text/* or *+json, one was '" + type + "'");
            }
        }
    }

    /// Returns whether a file of that type and size is compressed on demand.
    boolean isCompressible(String mediaType, long size) {
        return !onDemand.isEmpty()
                && cacheBytes > 0
                && size >= fileMin
                && size <= fileMax
                && size > 0
                && hasType(mediaType);
    }

    /// Returns whether a file of that type and size may be sent in a coding in which it is stored
    /// anyway: since that takes no time, there is no maximum size.
    boolean isSendableAsStored(Coding coding, String mediaType, long size) {
        return onDemand.contains(coding) && size >= fileMin && hasType(mediaType);
    }

    private boolean hasType(String mediaType) {
        int semicolon = mediaType.indexOf(';');
        String bare = (semicolon < 0 ? mediaType : mediaType.substring(0, semicolon)).strip();
        for (String type : types) {
            boolean isFit =
                    type.startsWith("*")
                            ? bare.endsWith(type.substring(1))
                            : type.endsWith("/*")
                                    ? bare.startsWith(type.substring(0, type.length() - 1))
                                    : bare.equals(type);
            if (isFit) {
                return true;
            }
        }
        return false;
    }
}
