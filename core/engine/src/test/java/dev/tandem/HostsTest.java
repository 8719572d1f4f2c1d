package dev.tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.engine.Engines;
import dev.tandem.engine.site.Hosts;
import dev.tandem.engine.site.Site;
import dev.tandem.engine.site.Traffic;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostsTest {
    private final Site.Shared shared =
            new Site.Shared(Engines.admission(Options.DEFAULT), new Traffic());

    private Hosts hosts(String... names) {
        List<Hosts.Named> others =
                Stream.of(names)
                        .map(VirtualHost::of)
                        .map(host -> new Hosts.Named(host.names(), host.site(shared)))
                        .toList();
        return Hosts.of(VirtualHost.ofAll().site(shared), others);
    }

    @ParameterizedTest
    @CsvSource({
        "a.example, a.example",
        "A.EXAMPLE, a.example",
        "a.example.:80, a.example",
        "b.a.example, *.a.example",
        "c.b.a.example:8080, *.b.a.example",
        "x.example, *.example",
        "'[::1]:80', '[::1]'",
    })
    void longestMatchingNameIsFound(String asked, String name) {
        Hosts hosts = hosts("a.example", "*.example", "*.a.example", "*.b.a.example", "[::1]");
        assertSame(hosts.named(name.replace("*", "y")), hosts.named(asked));
    }

    /// On the event loop, for each request that a client sends.
    @Test
    @Timeout(value = 5, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void longNameOfManyDotsIsFoundAtOnce() {
        Hosts hosts = hosts("a.example", "*.b.example");
        String dots = "a.".repeat(8_000);
        for (int i = 0; i < 1_000; i++) {
            assertSame(hosts.named("y.b.example"), hosts.named(dots + i + ".b.example"));
            assertSame(hosts.fallback(), hosts.named(dots + i));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "example", ".example", "a.example.org", ":80", ".", "[::2]"})
    void unknownHostGetsTheFallback(String asked) {
        Hosts hosts = hosts("a.example", "[::1]");
        assertSame(hosts.fallback(), hosts.named(asked));
    }

    @Test
    void nameOfTwoSitesIsRejected() {
        var e = assertThrows(IllegalArgumentException.class, () -> hosts("a.b", "A.b"));
        assertEquals("two sites have the name a.b", e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:80", "a..b", "*", "a.*", "*a.b", "http://a", "a/"})
    void invalidHostNameIsRejected(String name) {
        assertThrows(IllegalArgumentException.class, () -> VirtualHost.of(name));
    }

    @Test
    void hostsWithoutNamesHaveOneSite() {
        assertTrue(hosts().isSingle());
    }
}
