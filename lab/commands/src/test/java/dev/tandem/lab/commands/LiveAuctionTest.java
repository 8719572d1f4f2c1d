package dev.tandem.lab.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.testkit.Browser;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.TlsSettings;
import dev.tandem.tomcat.Applications;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two windows of a real browser at the auction, over our connector: a bid in one of them changes
/// the price in the other.
@Timeout(120)
class LiveAuctionTest {
    private static final Map<String, String> SMALL =
            Map.of(
                    "auction.url", "jdbc:h2:mem:windows;DB_CLOSE_DELAY=-1",
                    "auction.users", "50",
                    "auction.items", "100",
                    "auction.olditems", "20",
                    "auction.password.iterations", "10");

    private static final String PRICE = text("price");

    private final Path folder;
    private Applications auction;
    private Browser bidder;
    private Browser watcher;

    LiveAuctionTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private static String text(String shown) {
        return "document.querySelector('[data-shows=" + shown + "]').textContent";
    }

    @BeforeEach
    void start() throws Exception {
        assumeTrue(Browser.isInstalled(), "skipped: needs chromium");
        SMALL.forEach(System::setProperty);
        Applications.disableMBeans();
        auction = new Applications("127.0.0.1", 0);
        TlsSettings tls = TlsSettings.of(certificate());
        auction.customizeServer(server -> server.andListen("127.0.0.1", 0).tls(tls));
        auction.add("", Path.of(System.getProperty("tandem.auction")));
        auction.start();
        bidder = Browser.start(folder, "--ignore-certificate-errors", "--window-size=900,700");
        watcher = bidder.openWindow(folder);
    }

    private CertificateFiles certificate() throws IOException, InterruptedException {
        Path file = folder.resolve("site.p12");
        var keytool =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                        "-genkeypair",
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "password",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=DNS:localhost,IP:127.0.0.1");
        Process made = new ProcessBuilder(keytool).inheritIO().start();
        assertEquals(0, made.waitFor());
        return CertificateFiles.pkcs12(file, "password");
    }

    @AfterEach
    void stop() throws Exception {
        if (bidder != null) {
            bidder.close();
        }
        if (auction != null) {
            auction.close();
        }
        SMALL.keySet().forEach(System::clearProperty);
    }

    @Test
    void bidIsSeenInTheOtherWindow() throws Exception {
        String plain = "http://127.0.0.1:" + auction.port();
        signIn(plain);
        long item = item(plain);
        watch(plain, item, "session");
        long cents = bid(plain, item);
        picture("session.png");
        assertEquals(List.of(), watcher.complaints());

        // A browser that cannot begin a session, over TLS and HTTP/2.
        int port = auction.server().addresses().get(1).getPort();
        String secure = "https://127.0.0.1:" + port;
        signIn(secure);
        watcher.call(
                "Page.addScriptToEvaluateOnNewDocument",
                "{\"source\":\"delete window.WebSocket\"}");
        watch(secure, item, "events");
        assertEquals(
                "h2",
                watcher.evaluated("performance.getEntriesByType('navigation')[0].nextHopProtocol"));
        assertTrue(bid(secure, item) > cents, "another price");
        picture("events.png");
        assertEquals(List.of(), watcher.complaints());
    }

    private void signIn(String site) throws Exception {
        open(bidder, site + "/me/sign-in", "AboutMeAuth");
        bidder.evaluated(
                "document.querySelector('input[name=nickname]').value = 'user2',"
                        + "document.querySelector('input[name=password]').value = 'password2',"
                        + "document.querySelector('main form').submit(), 'sent'");
        awaitPage(bidder, "AboutMe");
    }

    private static void open(Browser window, String url, String page) throws Exception {
        window.open(url);
        awaitPage(window, page);
    }

    private static void awaitPage(Browser window, String page) throws Exception {
        window.await(
                "document.readyState + ' ' +"
                        + " (document.querySelector('meta[name=page]')||{}).content",
                "complete " + page);
    }

    /// Returns an item that user 2 may bid on.
    private long item(String site) throws Exception {
        for (long item = 1; item < 50; item++) {
            open(bidder, site + "/item?id=" + item, "ViewItem");
            String may =
                    bidder.evaluated(
                            "String(document.querySelector('.ways') !== null &&"
                                + " document.querySelector('a[href$=\\u0022user?id=2\\u0022]') ==="
                                + " null)");
            if (may.equals("true")) {
                return item;
            }
        }
        throw new AssertionError("nothing is for sale");
    }

    private void watch(String site, long item, String by) throws Exception {
        open(watcher, site + "/item?id=" + item, "ViewItem");
        watcher.await("String(document.querySelector('[data-live]').dataset.by)", by);
    }

    /// Bids in one window, and returns the price that the other one shows then, in cents.
    private long bid(String site, long item) throws Exception {
        String before = watcher.evaluated(PRICE);
        open(bidder, site + "/bid?item=" + item, "PutBid");
        String amount = bidder.evaluated("document.querySelector('input[name=bid]').value");
        bidder.evaluated("document.querySelector('main form').submit(), 'sent'");
        awaitPage(bidder, "StoreBid");
        watcher.await(PRICE, amount);
        assertTrue(!before.equals(amount), before);
        return Long.parseLong(amount.replace(".", ""));
    }

    /// For people, in the folder of the system property `tandem.pictures` if it is set.
    private void picture(String name) throws IOException {
        String wanted = System.getProperty("tandem.pictures");
        if (wanted != null) {
            Files.write(Path.of(wanted, "bidder-" + name), bidder.picture());
            Files.write(Path.of(wanted, "watcher-" + name), watcher.picture());
        }
    }
}
