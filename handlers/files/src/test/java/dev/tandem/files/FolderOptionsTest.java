package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FolderOptionsTest {
    private static final FolderOptions DEFAULT = FolderOptions.DEFAULT;

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "/", "/etc/passwd"})
    void indexFileThatIsNoNameIsRejected(String name) {
        var names = List.of("index.html", name);
        var error =
                assertThrows(IllegalArgumentException.class, () -> DEFAULT.withIndexFiles(names));
        assertEquals(
                "indexFiles must be names of files, one was '" + name + "'", error.getMessage());
    }

    @Test
    void negativeCacheSizeIsRejected() {
        var error = assertThrows(IllegalArgumentException.class, () -> DEFAULT.withCacheBytes(-1));
        assertEquals("cacheBytes must be at least 0, was -1", error.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, (16 << 20) + 1})
    void cacheFileMaxOutOfRangeIsRejected(int bytes) {
        var error =
                assertThrows(IllegalArgumentException.class, () -> DEFAULT.withCacheFileMax(bytes));
        assertEquals("cacheFileMax must be 0..16777216, was " + bytes, error.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-1S", "PT24H0.001S"})
    void recheckOutOfRangeIsRejected(Duration recheck) {
        var error =
                assertThrows(IllegalArgumentException.class, () -> DEFAULT.withRecheck(recheck));
        assertEquals("recheck must be PT0S to PT24H, was " + recheck, error.getMessage());
    }

    @Test
    void optionsCopyTheirLists() {
        var names = new ArrayList<>(List.of("a"));
        var options = DEFAULT.withIndexFiles(names);
        names.add("b");
        assertEquals(List.of("a"), options.indexFiles());
    }
}
