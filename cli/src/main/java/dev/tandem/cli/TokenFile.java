package dev.tandem.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A file whose first line is a token: what stands in a command line, every process can read.
final class TokenFile {
    private static final int LEAST = 16;

    private TokenFile() {}

    /// @throws Failure if there is none that would do; says how to make one
    static String read(String name) {
        try (BufferedReader lines =
                Files.newBufferedReader(Path.of(name), StandardCharsets.US_ASCII)) {
            String line = String.valueOf(lines.readLine()).strip();
            if (line.length() >= LEAST && line.chars().allMatch(c -> c > ' ' && c <= '~')) {
                return line;
            }
            throw unfit(name);
        } catch (NoSuchFileException e) {
            throw Failure.failed("no such file: " + name + "; " + way(name));
        } catch (CharacterCodingException e) {
            throw unfit(name);
        } catch (IOException | InvalidPathException e) {
            throw Failure.failed("cannot read the token in " + name + ": " + e.getMessage());
        }
    }

    private static Failure unfit(String name) {
        return Failure.failed(
                "the first line of "
                        + name
                        + " must be a token of at least "
                        + LEAST
                        + " visible characters; "
                        + way(name));
    }

    private static String way(String name) {
        return "openssl rand -hex 16 > " + name + " makes one";
    }
}
