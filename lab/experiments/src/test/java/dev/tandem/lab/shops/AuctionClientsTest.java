package dev.tandem.lab.shops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.auction.Auction;
import dev.tandem.auction.ConsistencyCheck;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadReport;
import dev.tandem.workloads.Published;
import dev.tandem.workloads.SiteModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.catalina.Context;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RUBiS' clients on the real site, in a stock Tomcat: every reply is the requested page.
class AuctionClientsTest {
    private static final int USERS = 300;
    private static final double PACE = 100_000;
    private static final double PERCENT_USUAL = 0.4;

    /// Until every page was requested: two or three on an otherwise idle machine.
    private static final int REPETITIONS_MAX = 20;

    private final Tomcat tomcat = new Tomcat();
    private final String url = "jdbc:h2:mem:clients" + System.nanoTime() + ";DB_CLOSE_DELAY=-1";

    @BeforeEach
    void open(@TempDir Path home, @TempDir Path site) throws Exception {
        tomcat.setBaseDir(home.toString());
        tomcat.setPort(0);
        Context context = tomcat.addContext("", site.toString());
        Files.write(site.resolve("gavel.svg"), new byte[100]);
        Tomcat.addServlet(context, "default", new DefaultServlet()).addMapping("/");
        Map.of(
                        "auction.url", url,
                        "auction.users", String.valueOf(USERS),
                        "auction.items", "600",
                        "auction.olditems", "50",
                        "auction.description", "300",
                        "auction.password.iterations", "1")
                .forEach(context::addParameter);
        context.addApplicationListener(Auction.class.getName());
        context.setParentClassLoader(Auction.class.getClassLoader());
        tomcat.getConnector();
        tomcat.start();
    }

    @AfterEach
    void close() throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }

    private static SiteModel model(String mix) {
        return mix.equals("bidding") ? Published.rubisBidding() : Published.rubisBrowsing();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bidding", "browsing"})
    void everyReplyIsTheRequestedPage(String mix) throws Exception {
        SiteModel model = model(mix);
        var unseen = new TreeSet<>(usual(model));
        for (int repetition = 0; repetition < REPETITIONS_MAX && !unseen.isEmpty(); repetition++) {
            LoadReport report =
                    Load.of("http://127.0.0.1:" + tomcat.getConnector().getLocalPort())
                            .withArrivals(Arrivals.closed(8))
                            .withTime(Duration.ofSeconds(2))
                            .withClient(Client.DEFAULT.withCookies(true))
                            .withSeed(repetition)
                            .run(new AuctionClients(model, USERS, PACE));
            assertEquals(0, report.errorCount(), report.text());
            assertEquals(0, report.sessions().failed());
            unseen.removeAll(report.pages().keySet());
        }
        assertEquals(Set.of(), unseen);
        var database = new JdbcDataSource();
        database.setURL(url);
        database.setUser("sa");
        assertEquals(List.of(), new ConsistencyCheck(database).violations());
    }

    /// Pages that are frequent enough to be requested soon.
    private static Set<String> usual(SiteModel model) {
        return model.mix().entrySet().stream()
                .filter(share -> share.getValue() > PERCENT_USUAL)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
