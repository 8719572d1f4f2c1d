package dev.tandem.files;

import dev.tandem.http.MediaTypes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// A resource of the class path, or a precompressed variant of one, with its metadata and, if it is
/// small, its content. Immutable.
///
/// @param metadata with a tag that is made of the content
/// @param size in bytes
/// @param held the content; null if it is read for each request
record Resource(
        ResourceLoader.Source source,
        FileMetadata metadata,
        long size,
        @Nullable PreparedFile held) {
    private static final int PIECE = 16_384;

    /// Of the hash: 2^64 contents could be distinguished.
    private static final int TAG_BYTES = 16;

    /// What all variants of a resource have in common.
    ///
    /// @param name without the suffix of a coding, for the media type
    /// @param hasVary whether there are variants
    record Representation(String name, boolean hasVary, @Nullable String cacheControl) {}

    /// The memory outside of the heap.
    @FunctionalInterface
    interface Memory {
        /// Returns a direct buffer with a copy, at position 0; null if the process cannot allocate
        /// one.
        @Nullable ByteBuffer copy(byte[] content);
    }

    /// Reads a resource. Blocks.
    ///
    /// @param coding null if it is not compressed
    /// @param heldMax the largest that is held in memory, in bytes
    static Resource read(
            ResourceLoader.Source source,
            Representation as,
            @Nullable Coding coding,
            int heldMax,
            Memory memory)
            throws IOException {
        MessageDigest hash = sha256();
        byte[] begin;
        long size;
        try (InputStream in = source.open()) {
            begin = in.readNBytes(heldMax + 1);
            hash.update(begin);
            size = begin.length;
            var piece = new byte[PIECE];
            for (int count = in.read(piece); count > 0; count = in.read(piece)) {
                hash.update(piece, 0, count);
                size += count;
            }
        }
        String tag = HexFormat.of().formatHex(Arrays.copyOf(hash.digest(), TAG_BYTES));
        var metadata =
                new FileMetadata(
                        '"' + tag + '"',
                        source.modifiedSeconds(),
                        MediaTypes.of(as.name()),
                        source.modifiedSeconds() >= 0,
                        coding,
                        as.hasVary() ? FileMetadata.ENCODING : "",
                        as.cacheControl());
        ByteBuffer held = size <= heldMax ? memory.copy(begin) : null;
        return new Resource(
                source, metadata, size, held == null ? null : new PreparedFile(metadata, held));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has it", e);
        }
    }

    /// Returns whether it cannot change.
    boolean isFixed() {
        return source.isFixed();
    }

    /// Returns whether it is as it was read. Blocks.
    boolean isCurrent() {
        return source.isCurrent();
    }
}
