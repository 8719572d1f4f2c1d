package dev.tandem.http;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/// Writes what a client sent to a temporary file, and reports each failure as a
/// [StorageException], so that it is not taken for the client's.
public final class StoringStream extends FilterOutputStream {
    public StoringStream(OutputStream file) {
        super(file);
    }

    @Override
    public void write(int b) throws StorageException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws StorageException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            throw new StorageException(e);
        }
    }

    @Override
    public void close() throws StorageException {
        try {
            out.close();
        } catch (IOException e) {
            throw new StorageException(e);
        }
    }
}
