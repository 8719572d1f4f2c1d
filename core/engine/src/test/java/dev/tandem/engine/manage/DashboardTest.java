package dev.tandem.engine.manage;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.engine.Served;
import dev.tandem.net.Network;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// docs/grafana/tandem.json queries only existing metrics.
class DashboardTest {
    /// Surefire runs in the module's folder.
    private static final Path FILE = Path.of("../../docs/grafana/tandem.json");

    private static final Pattern NAME = Pattern.compile("\\b(?:tandem|http_server)_[a-z_]+");
    private static final Pattern SUFFIX = Pattern.compile("_(bucket|sum|count)$");

    @Test
    void everyMetricThatItNamesExists() throws IOException {
        var exist = new TreeSet<String>();
        try (Served served = Served.on(Network.best())) {
            served.client().send(get("/hello")).response();
            served.server().metrics().forEach(metric -> exist.add(metric.name()));
        }
        var unknown = new TreeSet<String>();
        int named = 0;
        Matcher names = NAME.matcher(Files.readString(FILE));
        while (names.find()) {
            named++;
            String name = names.group();
            if (!exist.contains(name) && !exist.contains(SUFFIX.matcher(name).replaceFirst(""))) {
                unknown.add(name);
            }
        }
        assertEquals(List.of(), List.copyOf(unknown));
        assertTrue(named > 20);
    }
}
