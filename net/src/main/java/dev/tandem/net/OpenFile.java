package dev.tandem.net;

/// A file held open for [Socket#send]. Size and time are those of when it was opened.
public interface OpenFile extends AutoCloseable {

    /// In bytes.
    long size();

    /// Time of the last change, in nanoseconds since 1970-01-01T00:00Z.
    long modifiedNanos();

    boolean isRegular();

    @Override
    void close();
}
