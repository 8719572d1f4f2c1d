package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.bookstore.Population;
import dev.tandem.bookstore.Settings;
import dev.tandem.lab.shops.BookstoreClients;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadReport;
import dev.tandem.workloads.Published;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The bookstore in each way, with interpreted templates and pictures.
class StoreTargetTest {
    private static final Population POPULATION = new Population(200, 300, 1);

    @ParameterizedTest
    @EnumSource(ServingMode.class)
    void everyPageAndPictureIsServed(ServingMode way) throws Exception {
        String url = "jdbc:h2:mem:" + way.name() + System.nanoTime() + ";DB_CLOSE_DELAY=-1";
        Settings settings = Settings.DEFAULT.withDatabase(url, "sa", "").withPopulation(POPULATION);
        var costs = new StoreTarget.Costs(Duration.ZERO, Duration.ZERO, Duration.ZERO, true);
        try (var store = StoreTarget.open(way, settings, costs)) {
            Server server = store.addTo(Tandem.listen("127.0.0.1", 0)).start();
            var clients =
                    new BookstoreClients(
                            Published.tpcwBrowsing(),
                            POPULATION.customers(),
                            POPULATION.items(),
                            100_000,
                            true);
            LoadReport report =
                    Load.of("http://127.0.0.1:" + server.address().getPort())
                            .withArrivals(Arrivals.closed(4))
                            .withTime(Duration.ofMillis(1_500))
                            .withClient(Client.DEFAULT.withCookies(true))
                            .run(clients);
            server.stop(Duration.ofSeconds(1));
            assertEquals(0, report.errorCount(), report.text());
            assertTrue(report.pages().containsKey("picture"), report.text());
            assertTrue(report.pages().containsKey("Home"), report.text());
        }
    }
}
