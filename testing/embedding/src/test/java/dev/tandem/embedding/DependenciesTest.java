package dev.tandem.embedding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The dependencies that an application gets with `tandem-engine` and `tandem-files`.
class DependenciesTest {
    private static final Pattern ARTIFACT =
            Pattern.compile("^\\s*([\\w.-]+):([\\w.-]+):jar:", Pattern.MULTILINE);

    @Test
    void jspecifyIsTheOnlyThirdPartyArtifact() throws IOException {
        String resolved = Files.readString(Path.of(System.getProperty("resolved")));
        var found = new TreeSet<String>();
        Matcher artifacts = ARTIFACT.matcher(resolved);
        while (artifacts.find()) {
            boolean isOurs = artifacts.group(1).equals("dev.tandem");
            found.add(isOurs ? artifacts.group(2) : artifacts.group(1) + ":" + artifacts.group(2));
        }
        assertEquals(
                Set.of(
                        "org.jspecify:jspecify",
                        "tandem-admission",
                        "tandem-engine",
                        "tandem-files",
                        "tandem-http",
                        "tandem-net",
                        "tandem-tls"),
                found,
                resolved);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.netty.internal.tcnative.SSL",
                "com.github.luben.zstd.Zstd",
                "net.jpountz.lz4.LZ4Factory",
                "dev.tandem.net.epoll.EpollNetwork"
            })
    void nativeModulesAreNotOnTheClassPath(String type) {
        assertThrows(ClassNotFoundException.class, () -> Class.forName(type));
    }
}
