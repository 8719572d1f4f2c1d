package dev.tandem.pagecache;

import dev.tandem.pagecache.RestoreList.Form;
import dev.tandem.pagecache.RestoreList.Run;
import dev.tandem.pagecache.RestoreList.SavedFile;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A [RestoreList] as bytes, all numbers big-endian:
///
/// ```text
/// "TANDEMPC"  version (4)  page size (4)
/// number of roots (4)  each: text
/// number of files (4)  each: root (4)  size (8)  modified (8)  uses (4)  text
/// number of runs (4)   each: file (4)  first page (4)  count (1)  form (1)
/// CRC-32C of all of it (4)
/// text: length (2)  UTF-8
/// ```
///
/// The bytes may be anything: they are checked, and nothing is allocated by a number that they
/// contain.
final class RestoreFormat {
    private static final byte[] MAGIC = "TANDEMPC".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;
    private static final int CHECKSUM_BYTES = 4;
    private static final int COUNT_BYTES = 4;
    private static final int HEADER_BYTES = MAGIC.length + 8;
    private static final int TEXT_MIN = 2;
    private static final int TEXT_MAX = 65_535;
    private static final int FILE_MIN = 24 + TEXT_MIN;
    private static final int RUN_BYTES = 10;
    private static final int BYTE_MASK = 0xff;

    /// What bytes contain.
    sealed interface Parsed {
        /// A list.
        record Good(RestoreList list) implements Parsed {}

        /// No list.
        ///
        /// @param reason follows "because"
        record Bad(String reason) implements Parsed {}
    }

    private final ByteBuffer in;

    /// What was found to be wrong first; then all numbers are 0.
    private @Nullable String error;

    private RestoreFormat(ByteBuffer in) {
        this.in = in;
    }

    /// Parses a list.
    ///
    /// @param pageBytes of the cache; lists of other pages are bad
    static Parsed parse(byte[] bytes, int pageBytes) {
        int end = bytes.length - CHECKSUM_BYTES;
        if (end < HEADER_BYTES) {
            return new Parsed.Bad("it is truncated");
        }
        var in = ByteBuffer.wrap(bytes);
        for (byte each : MAGIC) {
            if (in.get() != each) {
                return new Parsed.Bad("it is no list of pages");
            }
        }
        if (in.getInt() != VERSION) {
            return new Parsed.Bad("another version of the server has written it");
        }
        if (in.getInt(end) != checksum(bytes, end)) {
            return new Parsed.Bad("its checksum is wrong");
        }
        int size = in.getInt();
        if (size != pageBytes) {
            return new Parsed.Bad("its pages have " + size + " bytes, not " + pageBytes);
        }
        return new RestoreFormat(in.limit(end)).parse();
    }

    private static int checksum(byte[] bytes, int length) {
        var crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    private Parsed parse() {
        var roots = new ArrayList<String>();
        for (int left = count(TEXT_MIN); left > 0 && error == null; left--) {
            roots.add(text());
        }
        var files = new ArrayList<SavedFile>();
        for (int left = count(FILE_MIN); left > 0 && error == null; left--) {
            addFile(roots, files);
        }
        var runs = new ArrayList<Run>();
        for (int left = count(RUN_BYTES); left > 0 && error == null; left--) {
            addRun(files.size(), runs);
        }
        if (error == null && in.hasRemaining()) {
            error = "there is more after its end";
        }
        return error == null
                ? new Parsed.Good(new RestoreList(List.copyOf(files), List.copyOf(runs)))
                : new Parsed.Bad(error);
    }

    private void addFile(List<String> roots, List<SavedFile> files) {
        if (in.remaining() < FILE_MIN) {
            error = "it is truncated";
            return;
        }
        int root = in.getInt();
        long size = in.getLong();
        long modified = in.getLong();
        int uses = in.getInt();
        String path = text();
        if (error != null) {
            return;
        }
        if (root < 0 || root >= roots.size() || size < 0 || uses < 0) {
            error = "a number is out of range";
        } else if (!RestoreList.isInside(path)) {
            error = "a path leads out of its folder: " + quoted(path);
        } else {
            files.add(new SavedFile(roots.get(root), path, size, modified, uses));
        }
    }

    private void addRun(int files, List<Run> runs) {
        if (in.remaining() < RUN_BYTES) {
            error = "it is truncated";
            return;
        }
        int file = in.getInt();
        int first = in.getInt();
        int count = in.get() & BYTE_MASK;
        int form = in.get();
        boolean isForm = form >= 0 && form < Form.values().length;
        if (file < 0 || file >= files || first < 0 || count == 0 || !isForm) {
            error = "a number is out of range";
        } else if (first > Integer.MAX_VALUE - count) {
            error = "a number is out of range";
        } else {
            runs.add(new Run(file, first, count, Form.values()[form]));
        }
    }

    /// Returns a number of things, of which each takes at least some bytes.
    private int count(int bytesMin) {
        if (error != null) {
            return 0;
        }
        int count = in.remaining() < COUNT_BYTES ? -1 : in.getInt();
        if (count < 0 || count > in.remaining() / bytesMin) {
            error = "it is shorter than it says";
            return 0;
        }
        return count;
    }

    private String text() {
        int length = in.remaining() < TEXT_MIN ? -1 : Short.toUnsignedInt(in.getShort());
        if (length < 0 || length > in.remaining()) {
            error = "it is truncated";
            return "";
        }
        ByteBuffer part = in.slice(in.position(), length);
        in.position(in.position() + length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(part).toString();
        } catch (CharacterCodingException _) {
            error = "a name is not UTF-8";
            return "";
        }
    }

    /// Returns a path for a log: short, without control characters.
    private static String quoted(String path) {
        String part = path.substring(0, Math.min(path.length(), 100));
        return "'" + part.replaceAll("\\p{Cntrl}", "?") + "'";
    }

    /// Returns a list as bytes: of its runs, the first ones that fit.
    ///
    /// @param bytesMax at least some hundred
    static byte[] bytes(RestoreList list, int pageBytes, int bytesMax) {
        var roots = new LinkedHashMap<String, Integer>();
        var fileNumbers = new HashMap<Integer, Integer>();
        var rootBytes = new ByteArrayOutputStream();
        var fileBytes = new ByteArrayOutputStream();
        var runBytes = new ByteArrayOutputStream();
        int runs = 0;
        int fixed = HEADER_BYTES + 3 * COUNT_BYTES + CHECKSUM_BYTES;
        for (Run run : list.runs()) {
            SavedFile file = list.files().get(run.file());
            ByteBuffer root = encoded(file.root());
            ByteBuffer path = encoded(file.path());
            if (root == null || path == null) {
                continue;
            }
            int more = RUN_BYTES + FILE_MIN + path.remaining() + TEXT_MIN + root.remaining();
            if (fixed + rootBytes.size() + fileBytes.size() + runBytes.size() + more > bytesMax) {
                break;
            }
            Integer number = fileNumbers.get(run.file());
            if (number == null) {
                number = fileNumbers.size();
                fileNumbers.put(run.file(), number);
                write(fileBytes, file, root(roots, file.root(), root, rootBytes), path);
            }
            runBytes.writeBytes(
                    ByteBuffer.allocate(RUN_BYTES)
                            .putInt(number)
                            .putInt(run.first())
                            .put((byte) run.count())
                            .put((byte) run.form().ordinal())
                            .array());
            runs++;
        }
        var all = new ByteArrayOutputStream();
        all.writeBytes(MAGIC);
        writeInts(all, VERSION, pageBytes, roots.size());
        all.writeBytes(rootBytes.toByteArray());
        writeInts(all, fileNumbers.size());
        all.writeBytes(fileBytes.toByteArray());
        writeInts(all, runs);
        all.writeBytes(runBytes.toByteArray());
        writeInts(all, checksum(all.toByteArray(), all.size()));
        return all.toByteArray();
    }

    private static int root(
            Map<String, Integer> roots, String name, ByteBuffer bytes, ByteArrayOutputStream to) {
        Integer known = roots.get(name);
        if (known != null) {
            return known;
        }
        roots.put(name, roots.size());
        write(to, bytes);
        return roots.size() - 1;
    }

    private static void write(ByteArrayOutputStream to, SavedFile file, int root, ByteBuffer path) {
        to.writeBytes(
                ByteBuffer.allocate(FILE_MIN - TEXT_MIN)
                        .putInt(root)
                        .putLong(file.size())
                        .putLong(file.modifiedNanos())
                        .putInt(file.uses())
                        .array());
        write(to, path);
    }

    private static void write(ByteArrayOutputStream to, ByteBuffer text) {
        to.write(text.remaining() >> Byte.SIZE);
        to.write(text.remaining());
        to.write(text.array(), text.arrayOffset(), text.remaining());
    }

    private static void writeInts(ByteArrayOutputStream to, int... numbers) {
        for (int number : numbers) {
            to.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
        }
    }

    /// Returns null for a name that cannot be written.
    private static @Nullable ByteBuffer encoded(String name) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
            return bytes.remaining() > TEXT_MAX ? null : bytes;
        } catch (CharacterCodingException _) {
            return null;
        }
    }
}
