package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuctionExperimentTest {
    @ParameterizedTest
    @CsvSource({
        // generator's share, its µs a reply, replies/s, database, processors; used
        "0.50, 50, 5000, 0.75, 1, 1.00",
        "0.90, 50, 5000, 0.10, 1, 0.90",
        "0.10, 50, 5000, 0.75, 2, 0.50",
        "0.40, NaN, 0, 0.75, 1, 0.40"
    })
    void databaseOnTheLoadsProcessorCountsAsUsed(
            double share,
            double micros,
            double replies,
            double database,
            int processors,
            double used) {
        Map<String, Double> figures =
                Map.of(
                        AppliedLoad.GENERATOR_MICROS,
                        micros,
                        AppliedLoad.REPLIES,
                        replies,
                        AuctionExperiment.DATABASE,
                        database);
        assertEquals(used, AuctionExperiment.sharedBy(share, figures, processors), 1e-9);
    }
}
