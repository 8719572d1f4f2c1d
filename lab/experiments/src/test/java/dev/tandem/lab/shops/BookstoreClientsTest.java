package dev.tandem.lab.shops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.bookstore.Bookstore;
import dev.tandem.bookstore.Population;
import dev.tandem.bookstore.Settings;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadReport;
import dev.tandem.load.Step;
import dev.tandem.workloads.PageView;
import dev.tandem.workloads.Published;
import dev.tandem.workloads.SiteModel;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// TPC-W's browsers on the real store.
class BookstoreClientsTest {
    private static final Population POPULATION = new Population(200, 300, 1);

    /// Percentage by which a mix may deviate.
    private static final double SHARE = 0.5;

    private static final int PAGES = 100_000;

    /// Until the usual pages were requested: one, unless the machine is busy.
    private static final int REPETITIONS_MAX = 20;

    private static SiteModel model(String mix) {
        return switch (mix) {
            case "browsing" -> Published.tpcwBrowsing();
            case "shopping" -> Published.tpcwShopping();
            default -> Published.tpcwOrdering();
        };
    }

    private static BookstoreClients clients(SiteModel model, double pace, boolean pictures) {
        return new BookstoreClients(
                model, POPULATION.customers(), POPULATION.items(), pace, pictures);
    }

    /// The requests, without a store: the shares of the mix are those of the requests.
    @ParameterizedTest
    @ValueSource(strings = {"browsing", "shopping", "ordering"})
    void requestsHaveTheSharesOfTheirMix(String mix) {
        SiteModel model = model(mix);
        var counts = new HashMap<String, Integer>();
        int pages = 0;
        for (long number = 0; pages < PAGES; number++) {
            Iterator<PageView> session = model.begin(number, new Random(number));
            while (session.hasNext()) {
                counts.merge(session.next().page(), 1, Integer::sum);
                pages++;
            }
        }
        for (Map.Entry<String, Double> share : model.mix().entrySet()) {
            double measured = 100.0 * counts.getOrDefault(share.getKey(), 0) / pages;
            assertEquals(share.getValue(), measured, SHARE, mix + ": " + share.getKey());
        }
        assertTrue(counts.keySet().equals(new HashSet<>(BookstoreClients.WIRT.keySet())));
    }

    @Test
    void eachInteractionIsRequestedByItsOwnName() {
        SiteModel model = Published.tpcwOrdering();
        var session = clients(model, 1, false).begin(3, new Random(3));
        var expected = model.begin(3, new Random(3));
        Step step = session.next(List.of());
        Call first = step == null ? Call.get("/none") : step.calls().getFirst();
        assertEquals(expected.next().page(), first.page());
    }

    @ParameterizedTest
    @ValueSource(strings = {"browsing", "ordering"})
    void everyReplyIsTheRequestedPage(String mix) throws Exception {
        String url = "jdbc:h2:mem:browsers" + System.nanoTime() + ";DB_CLOSE_DELAY=-1";
        Settings settings = Settings.DEFAULT.withDatabase(url, "sa", "").withPopulation(POPULATION);
        try (var store = Bookstore.open(settings)) {
            Tandem building = Tandem.listen("127.0.0.1", 0);
            store.addTo(building::route);
            Server server = building.start();
            var unseen = new TreeSet<>(List.of("Home", "Search Request", "picture"));
            for (int seed = 1; seed <= REPETITIONS_MAX && !unseen.isEmpty(); seed++) {
                LoadReport report =
                        Load.of("http://127.0.0.1:" + server.address().getPort())
                                .withArrivals(Arrivals.closed(4))
                                .withTime(Duration.ofMillis(1_500))
                                .withClient(Client.DEFAULT.withCookies(true))
                                .withSeed(seed)
                                .run(clients(model(mix), 100_000, true));
                assertEquals(0, report.errorCount(), report.text());
                assertEquals(List.of(), BookstoreClients.tooSlow(report));
                unseen.removeAll(report.pages().keySet());
            }
            server.stop(Duration.ofSeconds(1));
            assertEquals(Set.of(), unseen);
            assertEquals(0, store.staged().counts().heldWhileRendering());
            assertTrue(store.staged().counts().pages() > 0);
        }
    }
}
