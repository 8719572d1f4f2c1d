package dev.tandem.specweb;

import dev.tandem.workloads.Fetch;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;

/// The files in addition to the pages; their size grows with the number of concurrent sessions: 10
/// MB for each at the bank, 2.8 MB in the shop, 17.1 MB at support.
public final class FileSet {
    /// The modification time of all files, in milliseconds, for conditional requests.
    public static final long CHANGED_MILLIS = 1_700_000_000_000L;

    private static final int USERS_A_SESSION = 50;
    private static final int CHECKS = 10;
    private static final int LINES_A_SESSION = 5;
    private static final int PRODUCTS = 10;
    private static final double DIRECTORIES_A_SESSION = 0.25;

    /// A picture of one transparent point: GIF's smallest. The bytes after it are ignored.
    private static final byte[] GIF = {
        'G', 'I', 'F', '8', '9', 'a', 1, 0, 1, 0, -128, 0, 0, 0, 0, 0, 0, 0, 0, '!', -7, 4, 1, 0, 0,
        0, 0, ',', 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 'D', 1, 0, ';'
    };

    /// First size and step of each class of support's files, and the number of its files.
    private static final int[][] CLASSES = {
        {104_858, 104_858, 5},
        {629_146, 125_829, 3},
        {1_048_576, 492_831, 4},
        {4_194_304, 1_352_663, 2},
        {9_992_929, 0, 1},
        {37_748_736, 0, 1}
    };

    private final Path root;

    private FileSet(Path root) {
        this.root = root;
    }

    /// Writes the files into an application's folder.
    ///
    /// @param words the folder; `banking`, `ecommerce` or `support`; concurrent sessions
    public static void main(String[] words) throws IOException {
        var set = new FileSet(Path.of(words[0]));
        double sessions = Double.parseDouble(words[2]);
        Site site = Site.valueOf(words[1].toUpperCase(java.util.Locale.ROOT));
        set.images(site);
        switch (site) {
            case BANKING -> set.checks((int) Math.ceil(sessions * USERS_A_SESSION));
            case ECOMMERCE -> set.products((int) Math.ceil(sessions * LINES_A_SESSION));
            case SUPPORT -> set.downloads((int) Math.ceil(sessions * DIRECTORIES_A_SESSION));
        }
    }

    /// Returns the name used in pages: a browser derives a picture's type from the extension.
    static String imageName(String name) {
        return name.contains(".") ? name : name + ".gif";
    }

    private void images(Site site) {
        for (Screen screen : Screens.ALL) {
            if (screen.site() == site) {
                for (Fetch fetch : site.page(screen.name()).embedded()) {
                    String path = site.path() + "/images/" + imageName(fetch.target());
                    write(path, (int) fetch.bytes(), true);
                }
            }
        }
    }

    /// Written to a folder that containers do not serve; and not to `WEB-INF`, which some scan for
    /// changes repeatedly.
    private void checks(int users) {
        for (int user = 1; user <= users; user++) {
            for (int k = 0; k < CHECKS; k++) {
                String path = "META-INF/checks/user%010d/CI%s%06d";
                write(path.formatted(user, "F", k), 10_757 + 511 * k, true);
                write(path.formatted(user, "B", k), 5_458 + 334 * k, true);
            }
        }
    }

    private void products(int lines) {
        for (int line = 0; line < lines; line++) {
            for (int k = 0; k < PRODUCTS; k++) {
                String path = "ecommerce/products/" + line + "/" + k + "-";
                write(path + "small.gif", 3_521 + 1_586 * k, true);
                write(path + "middle.gif", 6_710 + 3_590 * k, true);
                write(path + "large.gif", 5_327 + 3_911 * k, true);
            }
        }
    }

    private void downloads(int directories) {
        for (int directory = 0; directory < directories; directory++) {
            int number = 0;
            for (int[] its : CLASSES) {
                for (int k = 0; k < its[2]; k++) {
                    String path = "support/downloads/" + directory + "/" + number + ".txt";
                    write(path, its[0] + k * its[1], false);
                    number++;
                }
            }
        }
    }

    /// Each file's content begins with its path: two of the same length differ.
    private void write(String path, int bytes, boolean isPicture) {
        Path file = root.resolve(path);
        try {
            Files.createDirectories(file.getParent());
            byte[] line =
                    (path + " is a file of SPECweb2005's set\n").getBytes(StandardCharsets.UTF_8);
            try (OutputStream out = Files.newOutputStream(file)) {
                int left = bytes;
                if (isPicture) {
                    out.write(GIF, 0, Math.min(left, GIF.length));
                    left -= Math.min(left, GIF.length);
                }
                byte[] block = block(line);
                for (; left > 0; left -= Math.min(left, block.length)) {
                    out.write(block, 0, Math.min(left, block.length));
                }
            }
            Files.setLastModifiedTime(file, FileTime.fromMillis(CHANGED_MILLIS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] block(byte[] line) {
        byte[] block = Arrays.copyOf(line, 8_192);
        for (int at = line.length; at < block.length; at += line.length) {
            System.arraycopy(line, 0, block, at, Math.min(line.length, block.length - at));
        }
        return block;
    }
}
