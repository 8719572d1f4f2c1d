package dev.tandem.pagecache;

import dev.tandem.pagecache.RestoreList.Form;
import dev.tandem.pagecache.RestoreList.Run;
import dev.tandem.pagecache.RestoreList.SavedFile;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Lists the pages of a cache that is being closed.
final class RestoreListing {
    /// Pages whose order of use does not matter among each other, so that they are read file by
    /// file.
    private static final int WINDOW = 1_024;

    private static final int OUTSIDE = -1;

    private final List<SavedFile> files = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();

    private RestoreListing() {}

    /// A page.
    ///
    /// @param file index of its file in the list
    private record Place(int file, int page, Form form) {}

    /// @param pages the most useful first; those outside of all folders are left out
    /// @param folders without links, by the names that they have in the list
    /// @param rest of the list before, which was not read back: follows
    static RestoreList of(List<SavedPage> pages, Map<String, Path> folders, RestoreList rest) {
        var listing = new RestoreListing();
        listing.add(listing.places(pages, folders));
        int offset = listing.files.size();
        listing.files.addAll(rest.files());
        for (Run run : rest.runs()) {
            listing.runs.add(new Run(run.file() + offset, run.first(), run.count(), run.form()));
        }
        return new RestoreList(listing.files, listing.runs);
    }

    private List<Place> places(List<SavedPage> pages, Map<String, Path> folders) {
        var numbers = new HashMap<FileRecord, Integer>();
        var places = new ArrayList<Place>(pages.size());
        for (SavedPage page : pages) {
            Integer number = numbers.get(page.file());
            if (number == null) {
                SavedFile saved = saved(page.file(), folders);
                number = saved == null ? OUTSIDE : files.size();
                numbers.put(page.file(), number);
                if (saved != null) {
                    files.add(saved);
                }
            }
            if (number != OUTSIDE) {
                places.add(new Place(number, page.index(), page.form()));
            }
        }
        return places;
    }

    /// @return null if the file is in none of the folders
    private static @Nullable SavedFile saved(FileRecord file, Map<String, Path> folders) {
        for (Map.Entry<String, Path> each : folders.entrySet()) {
            if (file.path.startsWith(each.getValue())) {
                Path relative = each.getValue().relativize(file.path);
                String name = relative.toString().replace(File.separatorChar, '/');
                return new SavedFile(
                        each.getKey(),
                        name,
                        file.state.size(),
                        file.state.modifiedNanos(),
                        file.uses);
            }
        }
        return null;
    }

    private void add(List<Place> places) {
        Comparator<Place> byPlace =
                Comparator.comparingInt(Place::file).thenComparingInt(Place::page);
        for (int from = 0; from < places.size(); from += WINDOW) {
            int to = Math.min(places.size(), from + WINDOW);
            places.subList(from, to).stream().sorted(byPlace).forEach(this::add);
        }
    }

    private void add(Place place) {
        Run last = runs.isEmpty() ? null : runs.getLast();
        if (last != null
                && last.file() == place.file()
                && last.form() == place.form()
                && last.first() + last.count() == place.page()
                && last.count() < Run.COUNT_MAX) {
            runs.removeLast();
            runs.add(new Run(last.file(), last.first(), last.count() + 1, last.form()));
        } else {
            runs.add(new Run(place.file(), place.page(), 1, place.form()));
        }
    }
}
