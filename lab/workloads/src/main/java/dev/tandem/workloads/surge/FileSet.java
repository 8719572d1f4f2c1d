package dev.tandem.workloads.surge;

import dev.tandem.workloads.Truncated;
import dev.tandem.workloads.Zipf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// The files and the pages made of them, drawn from a seed.
///
/// @param files rank 1 first
record FileSet(List<SurgeFile> files, List<SurgePage> pages) {
    /// @throws IllegalArgumentException if there are too few requests, or too many bytes
    static FileSet draw(SurgeSettings settings, SplittableRandom seeds) {
        var sizes = seeds.split();
        long[] requests = requests(settings);
        long[] drawn = new long[settings.files()];
        Arrays.setAll(drawn, i -> (long) Math.ceil(settings.model().fileSizes().sample(sizes)));
        checkBytes(settings, drawn);
        int[] numbers =
                IntStream.range(0, drawn.length)
                        .boxed()
                        .sorted(Comparator.comparingLong(number -> drawn[number]))
                        .mapToInt(Integer::intValue)
                        .toArray();
        long[] sorted = Arrays.stream(numbers).mapToLong(number -> drawn[number]).toArray();
        var wanted = new Truncated(settings.model().requestSizes(), sorted[sorted.length - 1]);
        int[] places = Matching.match(requests, sorted, wanted::cdf);
        var making = new Draft(numbers, sorted, places, requests);
        return making.pages(settings.model(), seeds.split());
    }

    private static long[] requests(SurgeSettings settings) {
        var popularity = new Zipf(settings.files(), settings.model().popularityAlpha());
        long[] requests = popularity.divided(settings.requests());
        if (requests[requests.length - 1] < 1) {
            long least = (long) Math.ceil(1 / popularity.share(settings.files()));
            throw new IllegalArgumentException(
                    "requests must be at least "
                            + least
                            + ", so that each of "
                            + settings.files()
                            + " files is requested; was "
                            + settings.requests());
        }
        return requests;
    }

    private static void checkBytes(SurgeSettings settings, long[] sizes) {
        long bytes = Arrays.stream(sizes).sum();
        if (bytes > settings.bytesMax()) {
            throw new IllegalArgumentException(
                    "the files are "
                            + bytes
                            + " bytes together, more than bytesMax, "
                            + settings.bytesMax()
                            + ": raise it, or take fewer files");
        }
    }

    /// @param numbers of the files, the smallest file first
    /// @param sizes in the same order
    /// @param places of the ranks in that order
    /// @param requests of the ranks
    private record Draft(int[] numbers, long[] sizes, int[] places, long[] requests) {
        /// Goes through the ranks in order: each is a single page, or a page with the next few
        /// embedded.
        FileSet pages(SurgeModel model, RandomGenerator random) {
            var files = new ArrayList<SurgeFile>();
            var pages = new ArrayList<SurgePage>();
            double baseShare = 1 / (1 + model.singlesPerPage());
            while (files.size() < numbers.length) {
                boolean isBase = random.nextDouble() < baseShare;
                double drawn = model.references().sample(random);
                int left = numbers.length - files.size() - 1;
                int references = isBase ? (int) Math.min(drawn, left) : 0;
                var kind = references > 0 ? SurgeFile.Kind.BASE : SurgeFile.Kind.SINGLE;
                var main = file(files.size(), kind);
                files.add(main);
                var embedded = new ArrayList<SurgeFile>();
                for (int i = 0; i < references; i++) {
                    var file = file(files.size(), SurgeFile.Kind.EMBEDDED);
                    files.add(file);
                    embedded.add(file);
                }
                pages.add(new SurgePage(main, embedded));
            }
            return new FileSet(List.copyOf(files), List.copyOf(pages));
        }

        private SurgeFile file(int index, SurgeFile.Kind kind) {
            int place = places[index];
            return new SurgeFile(numbers[place], index + 1, sizes[place], requests[index], kind);
        }
    }
}
