package dev.tandem.net;

import java.io.IOException;

/// An open file for [Socket#send]. Size and time are those at the time of opening.
public interface OpenFile extends AutoCloseable {

    /// Returns the size in bytes.
    long size();

    /// Returns the time of the last modification, in nanoseconds since 1970-01-01T00:00Z.
    long modifiedNanos();

    boolean isRegular();

    /// Reads into the remaining space of the buffer and advances its position: for connections to
    /// which the kernel cannot send the file directly.
    ///
    /// @param offset the position, in bytes from the start of the file
    /// @return the number of bytes, at least one; -1 if the file ends before the offset
    int read(IoBuffer to, long offset) throws IOException;

    @Override
    void close();
}
