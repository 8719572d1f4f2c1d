package dev.tandem.files;

import java.util.List;

/// How a [Folder] compresses. Immutable.
///
/// Each file is compressed once and the result kept, until the file changes or others need the
/// room. A file that shrinks by less than a twentieth is sent as it is. Whoever asks while it is
/// being compressed gets it as it is.
///
/// @param precompressed the codings in which files may lie beside others, compressed before:
///     `app.js.br` beside `app.js`. One that is older than the file itself by more than two
///     seconds is taken for outdated, and is not sent; neither is one that is a symbolic link
/// @param onDemand the codings in which files are compressed when they are asked for: of `ZSTD` and
///     `GZIP`; empty for none
/// @param fileMin the smallest file to compress, in bytes; at least 0
/// @param fileMax the largest, in bytes; up to 64 MiB. It is read into memory for it
/// @param cacheBytes the most memory outside of the heap that results are kept in, in bytes; at
///     least 0, which makes none. Counted as [FolderOptions#cacheBytes()]
/// @param types what is compressed: media types without parameters, where `text/*` stands for all
///     of text and `*+json` for all that end so
public record Compression(
        List<Coding> precompressed,
        List<Coding> onDemand,
        int fileMin,
        int fileMax,
        long cacheBytes,
        List<String> types) {

    // Before the defaults, which are checked by them.
    private static final int FILE_MAX = 64 << 20;

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

    /// - Siblings of all codings; zstd and gzip made.
    /// - From 1,024 bytes: a smaller file fits one packet either way.
    /// - Up to 8 MiB, which gzip takes about a quarter of a second for; larger ones are better
    ///   compressed before.
    /// - 32 MiB of results: about 150 MiB of scripts and styles.
    public static final Compression DEFAULT =
            new Compression(
                    List.of(Coding.values()),
                    List.of(Coding.ZSTD, Coding.GZIP),
                    1_024,
                    8 << 20,
                    32L << 20,
                    TYPES);

    /// @throws IllegalArgumentException if a value is out of range; names it
    public Compression {
        precompressed = List.copyOf(precompressed);
        onDemand = List.copyOf(onDemand);
        types = List.copyOf(types);
        if (onDemand.contains(Coding.BROTLI)) {
            throw new IllegalArgumentException(
                    "made must be of zstd and gzip: brotli is only sent from siblings");
        }
        if (fileMin < 0) {
            throw new IllegalArgumentException("fileMin must be at least 0, was " + fileMin);
        }
        if (fileMax < 0 || fileMax > FILE_MAX) {
            throw new IllegalArgumentException(
                    "fileMax must be 0.." + FILE_MAX + ", was " + fileMax);
        }
        if (cacheBytes < 0) {
            throw new IllegalArgumentException("cacheBytes must be at least 0, was " + cacheBytes);
        }
        for (String type : types) {
            int slash = type.indexOf('/');
            boolean isSuffix = type.startsWith("*+") && type.length() > 2;
            if (!isSuffix && (slash < 1 || slash == type.length() - 1 || type.contains(";"))) {
                throw new IllegalArgumentException(
                        "types must be as text/html, text/* or *+json, one was '" + type + "'");
            }
        }
    }

    public Compression withPrecompressed(List<Coding> precompressed) {
        return new Compression(precompressed, onDemand, fileMin, fileMax, cacheBytes, types);
    }

    public Compression withOnDemand(List<Coding> onDemand) {
        return new Compression(precompressed, onDemand, fileMin, fileMax, cacheBytes, types);
    }

    /// @param fileMin in bytes
    /// @param fileMax in bytes
    public Compression withSizes(int fileMin, int fileMax) {
        return new Compression(precompressed, onDemand, fileMin, fileMax, cacheBytes, types);
    }

    public Compression withCacheBytes(long cacheBytes) {
        return new Compression(precompressed, onDemand, fileMin, fileMax, cacheBytes, types);
    }

    public Compression withTypes(List<String> types) {
        return new Compression(precompressed, onDemand, fileMin, fileMax, cacheBytes, types);
    }

    /// Whether a file of that type and size is compressed when it is asked for.
    boolean isCompressible(String mediaType, long size) {
        return !onDemand.isEmpty()
                && cacheBytes > 0
                && size >= fileMin
                && size <= fileMax
                && size > 0
                && hasType(mediaType);
    }

    /// Whether a file of that type and size may be sent in a coding in which it is held anyway:
    /// that takes no time, so there is no largest one.
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
