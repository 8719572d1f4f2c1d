package dev.tandem.net;

import java.io.IOException;

/// A file held open for [Socket#send]. Size and time are those of when it was opened.
public interface OpenFile extends AutoCloseable {

    /// In bytes.
    long size();

    /// Time of the last change, in nanoseconds since 1970-01-01T00:00Z.
    long modifiedNanos();

    boolean isRegular();

    /// Reads into the buffer's remaining room, and moves its position: for those to whom the kernel
    /// cannot send the file itself.
    ///
    /// @param offset where, in bytes from the file's beginning
    /// @return how many bytes, at least one; -1 if the file ends before
    int read(IoBuffer to, long offset) throws IOException;

    @Override
    void close();
}
