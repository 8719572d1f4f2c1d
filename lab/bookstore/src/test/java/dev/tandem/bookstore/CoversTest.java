package dev.tandem.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CoversTest {
    @Test
    void coverSizes_haveTheirShares() {
        Map<Integer, Long> kinds =
                IntStream.range(0, 100)
                        .mapToObj(i -> Covers.size(i) / 1_024)
                        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        assertEquals(Map.of(5, 45L, 10, 35L, 50, 15L, 100, 4L, 250, 1L), kinds);
    }

    @Test
    void pictures_haveTheirSizes() throws Exception {
        var settings =
                Settings.DEFAULT.withDatabase("jdbc:h2:mem:covers;DB_CLOSE_DELAY=-1", "sa", "");
        try (var store = new RunningStore(settings);
                var shopper = store.shopper()) {
            assertEquals(250 * 1_024, shopper.get("/cover/100").body().length());
            assertEquals(5 * 1_024, shopper.get("/thumbnail/100").body().length());
            assertEquals(404, shopper.get("/cover/x").statusCode());
        }
    }
}
