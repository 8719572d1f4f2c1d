package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Automatic redeployment by `tandem run`.
class RedeployTest {
    private final Path folder;
    private final List<String> lines = new ArrayList<>();

    RedeployTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private Path war(String name, String page) throws IOException {
        Path war = folder.resolve(name + ".war");
        Wars.write(war, Map.of("a.txt", page));
        return war;
    }

    private static RawClient client(Applications site) throws IOException {
        return RawClient.connect(new InetSocketAddress("127.0.0.1", site.port()));
    }

    private static String get(Applications site, String path) {
        try (var client = client(site)) {
            return client.send("GET " + path + " HTTP/1.1\nHost: h\n\n").response().text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Checks for changes until a line has been logged.
    private void redeployUntilLogged(Applications site, String words) {
        Patience.until(
                words + " in " + lines,
                () -> {
                    site.redeployChanged(lines::add);
                    return lines.stream().anyMatch(line -> line.contains(words));
                });
    }

    /// Checks for changes for longer than a source must have been unchanged.
    private void redeployRepeatedly(Applications site) throws InterruptedException {
        for (int i = 0; i < 8; i++) {
            Thread.sleep(100);
            site.redeployChanged(lines::add);
        }
    }

    @Test
    void slowOldVersionDoesNotDelayOtherApplications() throws Exception {
        String waiting =
                """
                <%% new java.io.File("%1$s/began").createNewFile();
                   for (int i = 0; i < 2000 && !new java.io.File("%1$s/may").exists(); i++)
                       Thread.sleep(10); %%>old\
                """
                        .formatted(folder);
        Path slow = folder.resolve("slow.war");
        Wars.write(slow, Map.of("wait.jsp", waiting));
        Path quick = war("quick", "old");
        try (var site = new Applications("127.0.0.1", 0)) {
            site.add("/slow", slow).add("/quick", quick).start();
            @SuppressWarnings("resource") // closed with its site
            RawClient isBlocking = client(site).send("GET /slow/wait.jsp HTTP/1.1\nHost: h\n\n");
            Patience.until("the old page began", () -> Files.exists(folder.resolve("began")));
            war("slow", "new");
            war("quick", "new");
            redeployUntilLogged(site, "quick.war at /quick has been redeployed");
            redeployUntilLogged(site, "slow.war at /slow has been redeployed");
            assertEquals("new", get(site, "/quick/a.txt"));
            assertEquals("new", get(site, "/slow/a.txt"));
            war("slow", "newest");
            redeployRepeatedly(site);
            assertEquals("new", get(site, "/slow/a.txt"), "only one old version at a time");
            Files.createFile(folder.resolve("may"));
            assertEquals("old", isBlocking.response().text());
            Patience.until(
                    "the newest",
                    () -> {
                        site.redeployChanged(lines::add);
                        return get(site, "/slow/a.txt").equals("newest");
                    });
            assertFalse(lines.toString().contains("cut off"), lines.toString());
        }
    }

    @Test
    void invalidWarIsLoggedOnceAndOthersAreRedeployed() throws Exception {
        Path shop = war("shop", "old");
        Path other = war("other", "old");
        try (var site = new Applications("127.0.0.1", 0)) {
            site.add("/shop", shop).add("/other", other).start();
            Wars.write(shop, Map.of("../../out.txt", "out"));
            redeployUntilLogged(site, "shop.war cannot be unpacked");
            redeployRepeatedly(site);
            assertEquals(1, lines.stream().filter(line -> line.contains("unpacked")).count());
            assertEquals("old", get(site, "/shop/a.txt"));
            war("other", "new");
            redeployUntilLogged(site, "other.war at /other has been redeployed");
            lines.clear();
            byte[] whole = Files.readAllBytes(war("shop", "new"));
            Files.write(shop, Arrays.copyOf(whole, whole.length / 2));
            redeployUntilLogged(site, "shop.war cannot be unpacked");
            Files.write(shop, whole);
            redeployUntilLogged(site, "shop.war at /shop has been redeployed");
            assertEquals("new", get(site, "/shop/a.txt"));
        }
    }

    /// Of an old version, and of one that did not start.
    @Test
    void unpackedFoldersAreDeleted() throws Exception {
        Path shop = war("shop", "old");
        try (var site = new Applications("127.0.0.1", 0)) {
            site.add("/shop", shop).start();
            war("shop", "new");
            site.redeploy("/shop");
            Wars.write(shop, Map.of("META-INF/context.xml", "<Context><Valve className='x.Y'/>"));
            assertThrows(IOException.class, () -> site.redeploy("/shop"));
            try (Stream<Path> left = Files.list(site.home().resolve("webapps"))) {
                assertEquals(1, left.count());
            }
            assertEquals("new", get(site, "/shop/a.txt"));
        }
    }

    @Test
    void anyChangedDateIsAChange() throws Exception {
        Path shop = war("shop", "old");
        try (var site = new Applications("127.0.0.1", 0)) {
            site.add("/shop", shop).start();
            war("shop", "from a day to come");
            Files.setLastModifiedTime(shop, FileTime.from(Instant.now().plusSeconds(86_400)));
            redeployUntilLogged(site, "has been redeployed");
            assertEquals("from a day to come", get(site, "/shop/a.txt"));
            lines.clear();
            war("shop", "from a day long past");
            Files.setLastModifiedTime(shop, FileTime.from(Instant.EPOCH.plusSeconds(86_400)));
            redeployUntilLogged(site, "has been redeployed");
            assertEquals("from a day long past", get(site, "/shop/a.txt"));
            redeployRepeatedly(site);
            assertEquals(2, lines.size(), lines.toString());
        }
    }

    @Test
    void removedSourceIsLoggedAndKeepsRunning() throws Exception {
        Path shop = war("shop", "old");
        try (var site = new Applications("127.0.0.1", 0)) {
            site.add("/shop", shop).start();
            Files.delete(shop);
            redeployUntilLogged(
                    site, "shop.war at /shop has been removed: the running version stays");
            redeployRepeatedly(site);
            assertEquals(1, lines.size(), lines.toString());
            assertEquals("old", get(site, "/shop/a.txt"));
            war("shop", "new");
            redeployUntilLogged(site, "has been redeployed");
            assertEquals("new", get(site, "/shop/a.txt"));
        }
    }

    @Test
    void deletedClassIsAChange() throws Exception {
        Path classes = Files.createDirectories(folder.resolve("shop/WEB-INF/classes"));
        Path old = Files.createFile(classes.resolve("Old.class"));
        Files.createFile(classes.resolve("Other.class"));
        FileTime before = Files.getLastModifiedTime(classes);
        try (var site = new Applications("127.0.0.1", 0)) {
            site.add("/shop", folder.resolve("shop")).start();
            Files.delete(old);
            Files.setLastModifiedTime(classes, before);
            redeployUntilLogged(site, "shop at /shop has been redeployed");
        }
    }

    @Test
    void dataFilesOfAnApplicationAreNoChange() throws Exception {
        Path place = folder.resolve("shop");
        Path inside = place.resolve("WEB-INF");
        Files.createDirectories(inside.resolve("data"));
        var watched = new SourceWatcher(place);
        watched.markDeployed();
        Files.createFile(inside.resolve("data/upload"));
        Files.createFile(inside.resolve("shop.mv.db"));
        assertEquals(SourceWatcher.Change.NONE, watched.check(1, 0));
        Files.createFile(inside.resolve("web.xml"));
        assertEquals(SourceWatcher.Change.CHANGED, watched.check(2, 0));
        Files.createFile(Files.createDirectories(inside.resolve("classes")).resolve("A.class"));
        assertEquals(SourceWatcher.Change.CHANGED, watched.check(3, 0));
        Files.delete(inside.resolve("web.xml"));
        assertEquals(SourceWatcher.Change.CHANGED, watched.check(4, 0));
        new WorkFolder(folder).delete(place);
        assertEquals(SourceWatcher.Change.REMOVED, watched.check(5, 0));
    }

    /// As while a compiler is running.
    @Test
    void fileDeletedDuringCheckIsIgnored() throws Exception {
        Path inside = Files.createDirectories(folder.resolve("shop/WEB-INF/classes"));
        var watched = new SourceWatcher(folder.resolve("shop"));
        watched.markDeployed();
        Thread comesAndGoes =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    while (!Thread.interrupted()) {
                                        Path gone = inside.resolve("gone");
                                        try {
                                            Files.createDirectories(gone.resolve("a"));
                                            Files.delete(gone.resolve("a"));
                                            Files.delete(gone);
                                        } catch (IOException e) {
                                            throw new UncheckedIOException(e);
                                        }
                                    }
                                });
        long quiet = TimeUnit.SECONDS.toNanos(500);
        for (int i = 0; i < 5000; i++) {
            assertEquals(SourceWatcher.Change.NONE, watched.check(i, quiet));
        }
        comesAndGoes.interrupt();
        comesAndGoes.join();
        assertTrue(Files.isDirectory(inside));
    }
}
