package dev.tandem.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;

/// Reads a token from the first line of a file. A token on a command line would be readable by
/// every process.
public final class TokenFile {
    private static final int LENGTH_MIN = 16;

    private static final Set<PosixFilePermission> EXPOSING =
            Set.of(
                    PosixFilePermission.GROUP_WRITE,
                    PosixFilePermission.OTHERS_READ,
                    PosixFilePermission.OTHERS_WRITE);

    private TokenFile() {}

    /// @throws IOException if there is no valid token; says how to create one
    public static String read(Path file) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
            String line = String.valueOf(lines.readLine()).strip();
            if (line.length() >= LENGTH_MIN && line.chars().allMatch(c -> c > ' ' && c <= '~')) {
                return line;
            }
            throw invalid(file);
        } catch (NoSuchFileException e) {
            throw new IOException("no such file: " + file + "; " + instruction(file), e);
        } catch (CharacterCodingException e) {
            throw invalid(file);
        } catch (FileSystemException e) {
            throw new IOException("a token cannot be read: " + e, e);
        }
    }

    /// Returns a warning if users other than the owner and its group may read or change the token,
    /// or the group may change it; empty where file systems have no modes, and where they are
    /// read-only, as a container's secrets are, which have no other users.
    public static Optional<String> exposure(Path file) {
        try {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            return Collections.disjoint(mode, EXPOSING) || Files.getFileStore(file).isReadOnly()
                    ? Optional.empty()
                    : Optional.of(
                            "others may read or write the token of the management address: chmod"
                                    + " 600 "
                                    + file);
        } catch (IOException | UnsupportedOperationException _) {
            return Optional.empty(); // if it cannot be read, that is said otherwise
        }
    }

    private static IOException invalid(Path file) {
        return new IOException(
                "the first line of "
                        + file
                        + " must be a token of at least "
                        + LENGTH_MIN
                        + " visible characters; "
                        + instruction(file));
    }

    private static String instruction(Path file) {
        return "(umask 077; openssl rand -hex 16 > " + file + ") makes one";
    }
}
