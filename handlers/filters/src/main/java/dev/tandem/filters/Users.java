package dev.tandem.filters;

import com.password4j.Argon2Function;
import com.password4j.BcryptFunction;
import com.password4j.HashingFunction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Users and what their passwords hash to. Immutable; safe for all threads.
///
/// A file of them has one a line, as `htpasswd -B` makes it: `name:hash`, where the hash is of
/// bcrypt (`$2a$`, `$2b$`, `$2y$`) or Argon2 (`$argon2id$…`, RFC 9106). Empty lines and those
/// that begin with `#` say nothing.
public final class Users {
    /// Larger files are no users: 1 MiB.
    private static final int FILE_MAX = 1 << 20;

    /// A hash that takes longer than a second or two is a trap for the server itself.
    private static final int BCRYPT_COST_MAX = 16;

    private static final int ARGON2_KIB_MAX = 256 << 10;
    private static final int ARGON2_ROUNDS_MAX = 16;

    private static final Pattern BCRYPT =
            Pattern.compile("\\$2[aby]\\$(\\d\\d)\\$[./A-Za-z0-9]{53}");
    private static final Pattern ARGON2 =
            Pattern.compile(
                    "\\$argon2(?:id|i|d)\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})"
                            + "\\$[+/A-Za-z0-9]{11,86}\\$[+/A-Za-z0-9]{22,172}");

    /// What passwords are compared with where there is no user at all.
    private static final String PLACEHOLDER_HASH =
            "$2b$10$CwTycUXWue0Thq9StjUM0uJ8.YtKm2DIPg2d6J0Zt8cO3lX8G7p2K";

    private final Map<String, String> hashes;

    /// All hashes: what a password of an unknown user is compared with.
    private final List<String> decoyHashes;

    private Users(Map<String, String> hashes) {
        this.hashes = hashes;
        this.decoyHashes =
                hashes.isEmpty() ? List.of(PLACEHOLDER_HASH) : List.copyOf(hashes.values());
    }

    /// Reads a file. Blocks.
    ///
    /// @throws IOException if it cannot be read
    /// @throws IllegalArgumentException if it is not as said; names the file and the line, and
    ///     nothing of what stands there
    public static Users of(Path file) throws IOException {
        if (Files.size(file) > FILE_MAX) {
            throw new IllegalArgumentException(
                    file + " has more than " + FILE_MAX + " bytes: it is no file of users");
        }
        return of(file.toString(), Files.readAllLines(file, StandardCharsets.UTF_8));
    }

    /// @param source named in what is wrong with it
    /// @throws IllegalArgumentException if a line is not as said
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
                throw new IllegalArgumentException(position + "the user stands there twice");
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
                            + "the hash is neither bcrypt's nor argon2's; make one with:"
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

    /// How many there are.
    public int count() {
        return hashes.size();
    }

    /// Whether that is the user's password. Takes as long as the hash is made to take, tens or
    /// hundreds of milliseconds; also for a user who is not there, who is compared with another's
    /// hash, always the same one: so the time does not tell who is there.
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
