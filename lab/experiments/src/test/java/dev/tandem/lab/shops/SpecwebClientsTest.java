package dev.tandem.lab.shops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.shops.SpecwebClients.Site;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadReport;
import dev.tandem.specweb.BeSim;
import dev.tandem.specweb.FileSet;
import dev.tandem.specweb.Specweb;
import dev.tandem.testkit.FreePort;
import dev.tandem.workloads.Published;
import dev.tandem.workloads.SiteModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.catalina.Context;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SpecwebClientsTest {
    private static final double PACE = 100_000;
    private static final double PERCENT_USUAL = 1.5;

    /// Until every page was requested: one or two on an otherwise idle machine.
    private static final int REPETITIONS_MAX = 20;

    private static final SpecwebClients.Set FILES = new SpecwebClients.Set(1, 1, 0.4);
    private static final Tomcat TOMCAT = new Tomcat();

    @BeforeAll
    static void open(@TempDir Path home, @TempDir Path folder) throws Exception {
        int besim = FreePort.find();
        BeSim.main(new String[] {String.valueOf(besim)});
        FileSet.main(new String[] {folder.toString(), "banking", "0.02"});
        FileSet.main(new String[] {folder.toString(), "ecommerce", "0.2"});
        FileSet.main(new String[] {folder.toString(), "support", "4"});
        TOMCAT.setBaseDir(home.toString());
        TOMCAT.setPort(0);
        Context context = TOMCAT.addContext("", folder.toString());
        Tomcat.addServlet(context, "default", new DefaultServlet()).addMapping("/");
        context.addParameter("specweb.besim", "http://127.0.0.1:" + besim + "/besim");
        context.addApplicationListener(Specweb.class.getName());
        context.setParentClassLoader(Specweb.class.getClassLoader());
        TOMCAT.getConnector();
        TOMCAT.start();
    }

    @AfterAll
    static void close() throws Exception {
        TOMCAT.stop();
        TOMCAT.destroy();
    }

    private static SiteModel model(Site site) {
        return switch (site) {
            case BANKING -> Published.specwebBanking();
            case ECOMMERCE -> Published.specwebEcommerce();
            case SUPPORT -> Published.specwebSupport();
        };
    }

    @ParameterizedTest
    @EnumSource
    void everyReplyIsTheRequestedResource(Site site) throws Exception {
        SiteModel model = model(site);
        var unseen = new TreeSet<String>();
        model.mix().forEach((page, share) -> addIf(unseen, page, share > PERCENT_USUAL));
        long conditional = 0;
        for (int repetition = 0; repetition < REPETITIONS_MAX && !unseen.isEmpty(); repetition++) {
            long now = System.nanoTime();
            var quality = new Quality(new Quality.Limits(60, 60, 1, 1), now, now + (long) 60e9);
            LoadReport report =
                    Load.of("http://127.0.0.1:" + TOMCAT.getConnector().getLocalPort())
                            .withArrivals(Arrivals.closed(4))
                            .withTime(Duration.ofSeconds(1))
                            .withClient(Client.DEFAULT.withCookies(true))
                            .withSeed(repetition)
                            .run(new SpecwebClients(site, model, FILES, PACE, quality));
            assertEquals(0, report.errorCount(), report.text());
            assertEquals(0, report.replies().ofClass(5), report.text());
            assertTrue(Double.isNaN(quality.goodShare()) || quality.goodShare() == 1);
            conditional += report.replies().statuses().getOrDefault(304, 0L);
            unseen.removeAll(report.pages().keySet());
        }
        assertEquals(Set.of(), unseen);
        assertTrue(conditional > 0, site.name().toLowerCase(Locale.ROOT));
    }

    private static void addIf(TreeSet<String> to, String page, boolean isUsual) {
        if (isUsual) {
            to.add(page);
        }
    }
}
