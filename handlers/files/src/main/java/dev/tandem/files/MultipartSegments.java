package dev.tandem.files;

import dev.tandem.http.Body;
import dev.tandem.http.ByteRange;
import dev.tandem.http.MultipartByteRanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Several ranges of a file as `multipart/byteranges`, in segments, so that a slow client holds no
/// worker. Used by one thread at a time.
final class MultipartSegments implements Body.Segments {
    private final MultipartByteRanges parts;
    private final Source source;

    /// Where each of text, range, text, range, …, text ends, in bytes.
    private final long[] ends;

    /// A source of a file's bytes. Used by one thread at a time.
    interface Source extends AutoCloseable {
        /// Transfers bytes from an offset of the file, as [Body.Segments#transferTo].
        ///
        /// @param length number of bytes wanted
        /// @throws IOException also if the file has changed
        int transferTo(long offset, long length, Body.Sink to) throws IOException;

        /// Begins to get bytes at an offset of the file, as [Body.Segments#fetch].
        default boolean fetch(long offset, Runnable ready) {
            return false;
        }

        @Override
        void close();
    }

    /// @param source closed with it
    MultipartSegments(MultipartByteRanges parts, Source source) {
        this.parts = parts;
        this.source = source;
        this.ends = new long[2 * parts.ranges().size() + 1];
        long end = 0;
        for (int i = 0; i < ends.length; i++) {
            end += isText(i) ? text(i).length : range(i).length();
            ends[i] = end;
        }
    }

    private static boolean isText(int i) {
        return i % 2 == 0;
    }

    private byte[] text(int i) {
        String text =
                i == 2 * parts.ranges().size() ? parts.closeDelimiter() : parts.partHead(i / 2);
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private ByteRange range(int i) {
        return parts.ranges().get(i / 2);
    }

    @Override
    public boolean fetch(long offset, Runnable ready) {
        int i = indexAt(offset);
        return !isText(i) && source.fetch(range(i).first() + within(offset, i), ready);
    }

    private int indexAt(long offset) {
        int at = Arrays.binarySearch(ends, offset);
        return at < 0 ? -at - 1 : at + 1;
    }

    private long within(long offset, int i) {
        return i == 0 ? offset : offset - ends[i - 1];
    }

    @Override
    public int transferTo(long offset, Body.Sink to) throws IOException {
        int i = indexAt(offset);
        long from = within(offset, i);
        if (!isText(i)) {
            ByteRange range = range(i);
            return source.transferTo(range.first() + from, range.length() - from, to);
        }
        byte[] text = text(i);
        int length = text.length - (int) from;
        ByteBuffer piece = ByteBuffer.allocateDirect(length).put(text, (int) from, length).flip();
        to.write(piece);
        return piece.position();
    }

    @Override
    public void close() {
        source.close();
    }
}
