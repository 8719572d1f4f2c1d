package dev.tandem.filters;

import com.password4j.Argon2Function;
import com.password4j.BcryptFunction;
import com.password4j.HashingFunction;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Users and the hashes of their passwords. Immutable and thread safe.
///
/// A file of users has one on each line, as `htpasswd -B` writes it: `name:hash`, where the hash is
/// bcrypt (`$2a$`, `$2b$`, `$2y$`) or Argon2 (`$argon2id$…`, RFC 9106). Empty lines and lines that
/// begin with `#` are skipped.
public final class Users {
    /// Maximum size of a file: 1 MiB.
    private static final int FILE_MAX = 1 << 20;

    /// A hash that takes longer than a second or two would be a way to attack the server.
    private static final int BCRYPT_COST_MAX = 16;

    private static final int ARGON2_KIB_MAX = 256 << 10;
    private static final int ARGON2_ROUNDS_MAX = 16;

    private static final Pattern BCRYPT =
            Pattern.compile("\\$2[aby]\\$(\\d\\d)\\$[./A-Za-z0-9]{53}");
    private static final Pattern ARGON2 =
            Pattern.compile(
                    "\\$argon2(?:id|i|d)\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})"
                            + "\\$[+/A-Za-z0-9]{11,86}\\$[+/A-Za-z0-9]{22,172}");

    /// The hash that passwords are compared with if there is no user at all.
    private static final String PLACEHOLDER_HASH =
            "$2b$10$CwTycUXWue0Thq9StjUM0uJ8.YtKm2DIPg2d6J0Zt8cO3lX8G7p2K";

    /// No users: no password is correct.
    public static final Users NONE = new Users(Map.of());

    private final Map<String, String> hashes;

    /// All hashes; a password for an unknown user is compared with one of them.
    private final List<String> decoyHashes;

    private Users(Map<String, String> hashes) {
        this.hashes = hashes;
        this.decoyHashes =
                hashes.isEmpty() ? List.of(PLACEHOLDER_HASH) : List.copyOf(hashes.values());
    }

    /// Reads a file. Blocks.
    ///
    /// @throws IOException if it cannot be read, or is not UTF-8; names it
    /// @throws IllegalArgumentException if it is malformed; the message has the file and the line,
    ///     and none of its content
    public static Users of(Path file) throws IOException {
        return of(file.toString(), lines(file));
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            if (Files.size(file) > FILE_MAX) {
                throw new IllegalArgumentException(
                        file + " has more than " + FILE_MAX + " bytes: it is not a file of users");
            }
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new IOException("the file of users " + file + " is not UTF-8", e);
        } catch (IOException e) {
            throw new IOException("a file of users cannot be read: " + e, e);
        }
    }

    /// @param source named in error messages
    /// @throws IllegalArgumentException if a line is malformed
    static Users of(String source, List<String> lines) {
        var hashes = new LinkedHashMap<String, String>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String position = source + ", line " + (i + 1) + ": ";
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IllegalArgumentException(position + "not name:hash");
            }
            checkHash(position, line.substring(colon + 1));
            if (hashes.put(line.substring(0, colon), line.substring(colon + 1)) != null) {
                throw new IllegalArgumentException(position + "the user is defined twice");
            }
        }
        return new Users(Map.copyOf(hashes));
    }

    private static void checkHash(String position, String hash) {
        Matcher bcrypt = BCRYPT.matcher(hash);
        Matcher argon2 = ARGON2.matcher(hash);
        if (bcrypt.matches()) {
            check(position, "bcrypt's cost", bcrypt.group(1), 4, BCRYPT_COST_MAX);
        } else if (argon2.matches()) {
            check(position, "argon2's memory (m, in KiB)", argon2.group(1), 8, ARGON2_KIB_MAX);
            check(position, "argon2's passes (t)", argon2.group(2), 1, ARGON2_ROUNDS_MAX);
            check(position, "argon2's lanes (p)", argon2.group(3), 1, 16);
        } else {
            throw new IllegalArgumentException(
                    position
                            + "the hash is neither bcrypt nor argon2; make one with:"
                            + " htpasswd -nB name");
        }
    }

    private static void check(String position, String what, String value, int least, int most) {
        int number = Integer.parseInt(value);
        if (number < least || number > most) {
            throw new IllegalArgumentException(
                    position + what + " must be " + least + ".." + most + ", was " + number);
        }
    }

    /// Returns the number of users.
    public int count() {
        return hashes.size();
    }

    /// Returns whether the password is the user's. Takes tens or hundreds of milliseconds by
    /// design; for an unknown user, too, whose password is compared with another user's hash,
    /// always the same one, so that the time does not reveal which users exist.
    boolean isPasswordCorrect(String name, String password) {
        String hash = hashes.get(name);
        String known = hash == null ? decoyHash(name) : hash;
        HashingFunction function =
                known.startsWith("$2")
                        ? BcryptFunction.getInstanceFromHash(known)
                        : Argon2Function.getInstanceFromHash(known);
        return function.check(password, known) && hash != null;
    }

    private String decoyHash(String name) {
        return decoyHashes.get(Math.floorMod(name.hashCode(), decoyHashes.size()));
    }
}
