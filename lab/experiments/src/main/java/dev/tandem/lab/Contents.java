package dev.tandem.lab;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// Contents of files: one repeated pool of bytes that compresses to a chosen share. Any range can
/// be generated again, so that all received bytes can be compared. Immutable.
final class Contents {
    private static final int BYTES = 8 << 20;
    private static final int GROUP = 100;
    private static final int LETTERS = 26;

    private final byte[] pool = new byte[BYTES];

    /// @param random percentage of random bytes; the others are the alphabet
    Contents(int random) {
        RandomGenerator generator = new Random(random);
        generator.nextBytes(pool);
        for (int at = 0; at < BYTES; at += GROUP) {
            for (int i = at + random; i < Math.min(BYTES, at + GROUP); i++) {
                pool[i] = (byte) ('a' + (i - at) % LETTERS);
            }
        }
    }

    private Contents(byte[] bytes) {
        for (int at = 0; at < BYTES; at += bytes.length) {
            System.arraycopy(bytes, 0, pool, at, Math.min(bytes.length, BYTES - at));
        }
    }

    /// Returns the contents of a folder's files, one after the other and repeated.
    ///
    /// @throws LabException if it has none, or they cannot be read
    static Contents of(Path folder) throws LabException {
        var bytes = new ByteArrayOutputStream();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                bytes.writeBytes(Files.readAllBytes(file));
            }
        } catch (IOException e) {
            throw new LabException("cannot read the files of " + folder + ": " + e.getMessage());
        }
        if (bytes.size() == 0) {
            throw new LabException("there are no files in " + folder);
        }
        return new Contents(bytes.toByteArray());
    }

    /// Fills the rest of a buffer with the range that begins at `offset`.
    void copy(long offset, ByteBuffer to) {
        long at = offset;
        while (to.hasRemaining()) {
            int from = (int) (at % BYTES);
            int size = Math.min(to.remaining(), BYTES - from);
            to.put(pool, from, size);
            at += size;
        }
    }

    /// Returns whether bytes equal the range that begins at `offset`.
    boolean are(byte[] bytes, int length, long offset) {
        int done = 0;
        while (done < length) {
            int at = (int) ((offset + done) % BYTES);
            int size = Math.min(length - done, BYTES - at);
            if (Arrays.mismatch(bytes, done, done + size, pool, at, at + size) >= 0) {
                return false;
            }
            done += size;
        }
        return true;
    }
}
