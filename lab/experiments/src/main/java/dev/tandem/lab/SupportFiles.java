package dev.tandem.lab;

import dev.tandem.workloads.Zipf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// The downloads of SPECweb2005's Support site: directories of 16 files in six classes, 68.5 MB
/// each, of which a few large ones make up most. Their contents are ranges of one pool, so that
/// every received byte can be compared.
final class SupportFiles {
    /// The path of a small file that always exists.
    static final String ANY = "/0/0.txt";

    /// Sizes in bytes and shares of the requests to a file's directory.
    private static final double[][] FILES = files();

    private static final int BUFFER_BYTES = 1 << 20;
    private static final int SHIFT = 104_729;
    private static final long OLD_MILLIS = 1_700_000_000_000L;

    private final Path root;
    private final int directories;
    private final double scale;
    private final Contents contents;
    private final double[] directorySums;
    private final double[] fileSums;

    /// @param directories number of directories
    /// @param scale of all sizes: 1 as in the benchmark
    /// @param alpha of Zipf's law for directories
    /// @param contents of the files
    SupportFiles(Path root, int directories, double scale, double alpha, Contents contents) {
        this.root = root;
        this.directories = directories;
        this.scale = scale;
        var zipf = new Zipf(directories, alpha);
        this.directorySums = new double[directories];
        double sum = 0;
        for (int i = 0; i < directories; i++) {
            sum += zipf.share(i + 1);
            directorySums[i] = sum;
        }
        this.fileSums = new double[FILES.length];
        sum = 0;
        for (int i = 0; i < FILES.length; i++) {
            sum += FILES[i][1];
            fileSums[i] = sum;
        }
        this.contents = contents;
    }

    private static double[][] files() {
        var files = new ArrayList<double[]>();
        add(files, 0.1366, 104_858, 104_858, 0.273, 0.091, 0.165, 0.186, 0.285);
        add(files, 0.1261, 629_146, 125_829, 0.579, 0.178, 0.243);
        add(files, 0.2840, 1_048_576, 492_831, 0.275, 0.170, 0.170, 0.385);
        add(files, 0.2232, 4_194_304, 1_352_663, 0.667, 0.333);
        add(files, 0.1250, 9_992_929, 0, 1);
        add(files, 0.1051, 37_748_736, 0, 1);
        return files.toArray(double[][]::new);
    }

    private static void add(
            List<double[]> files, double ofClass, double first, double step, double... shares) {
        for (int i = 0; i < shares.length; i++) {
            files.add(new double[] {first + i * step, ofClass * shares[i]});
        }
    }

    /// One file of the set.
    ///
    /// @param number in the set
    record File(int number, int size) {
        String path() {
            return "/" + number / FILES.length + "/" + number % FILES.length + ".txt";
        }
    }

    /// Draws a file by the clients' distribution.
    File draw(RandomGenerator random) {
        int directory = rank(directorySums, random.nextDouble());
        return file(directory * FILES.length + rank(fileSums, random.nextDouble()));
    }

    private File file(int number) {
        return new File(number, (int) (FILES[number % FILES.length][0] * scale));
    }

    private static int rank(double[] sums, double share) {
        int at = 0;
        while (at < sums.length - 1 && sums[at] < share * sums[sums.length - 1]) {
            at++;
        }
        return at;
    }

    Path root() {
        return root;
    }

    int count() {
        return directories * FILES.length;
    }

    long bytes() {
        long bytes = 0;
        for (int i = 0; i < count(); i++) {
            bytes += file(i).size();
        }
        return bytes;
    }

    /// Returns whether bytes equal those of a file from `offset` on.
    boolean are(byte[] bytes, int length, File file, long offset) {
        return contents.are(bytes, length, offset + start(file));
    }

    /// Where in the contents it begins: each file elsewhere.
    private static long start(File file) {
        return (long) file.number() * SHIFT;
    }

    /// Writes all files.
    void write() throws LabException {
        try {
            for (int i = 0; i < count(); i++) {
                write(file(i));
            }
        } catch (IOException e) {
            throw new LabException("cannot write the files: " + e.getMessage());
        }
    }

    private void write(File file) throws IOException {
        Path path = path(file);
        Files.createDirectories(path.getParent());
        try (FileChannel out =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
            for (long done = 0; done < file.size(); ) {
                buffer.clear().limit((int) Math.min(file.size() - done, BUFFER_BYTES));
                contents.copy(start(file) + done, buffer);
                buffer.flip();
                while (buffer.hasRemaining()) {
                    done += out.write(buffer);
                }
            }
            out.force(true);
        }
        Files.setLastModifiedTime(path, FileTime.fromMillis(OLD_MILLIS));
    }

    private Path path(File file) {
        return root.resolve(file.path().substring(1));
    }

    /// Makes the kernel drop them from its page cache.
    void forget() throws LabException, InterruptedException {
        for (int i = 0; i < count(); i++) {
            String of = "of=" + path(file(i));
            Toolbox.output(
                    10, List.of("dd", of, "oflag=nocache", "conv=notrunc,fdatasync", "count=0"));
        }
        for (int i = 0; i < count(); i++) {
            try {
                Files.setLastModifiedTime(path(file(i)), FileTime.fromMillis(OLD_MILLIS));
            } catch (IOException e) {
                throw new LabException("cannot set a file's time: " + e.getMessage());
            }
        }
    }
}
