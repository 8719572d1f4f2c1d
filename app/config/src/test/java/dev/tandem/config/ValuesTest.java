package dev.tandem.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.Network;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Times, sizes, addresses, variables and the like.
class ValuesTest {

    @ParameterizedTest
    @CsvSource({
        "0s, 0, 0s",
        "250ms, 250, 250ms",
        "1000ms, 1000, 1s",
        "90s, 90000, 90s",
        "120s, 120000, 2m",
        "3h, 10800000, 3h",
        "48h, 172800000, 2d",
        "5 m, 300000, 5m"
    })
    void timeIsReadAndWrittenInItsLargestUnit(String text, long millis, String written) {
        Duration duration = Amounts.duration(text);
        assertEquals(millis, duration.toMillis());
        assertEquals(written, Amounts.text(duration));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "5", "5S", "-5s", "5.5s", "s", "5s5m", "5us", "999999999999999999d"})
    void invalidTimeIsRejected(String text) {
        assertThrows(IllegalArgumentException.class, () -> Amounts.duration(text));
    }

    @Test
    void sizeIsReadInItsUnit() {
        assertEquals(7, Amounts.size("7"));
        assertEquals(7, Amounts.size("7B"));
        assertEquals(64 << 10, Amounts.size("64KiB"));
        assertEquals(16 << 20, Amounts.size("16 MiB"));
        assertEquals(2L << 30, Amounts.size("2GiB"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "KiB", "1kib", "1MB", "1TiB", "-1", "0x10", "99999999999999999GiB"})
    void invalidSizeIsRejected(String text) {
        assertThrows(IllegalArgumentException.class, () -> Amounts.size(text));
    }

    @ParameterizedTest
    @CsvSource({
        "worker, workers",
        "wrokers, workers",
        "workersx, workers",
        "wrkrs, workers",
        "loop, loops",
        "zzz, ''",
        "'', ''"
    })
    void nearestNameIsSuggested(String word, String name) {
        assertEquals(name, NameSuggestion.nearest(word, List.of("loops", "workers", "backlog")));
    }

    @Test
    void variablesAreReplaced() throws Exception {
        var variables = new Variables(Map.of("A", "1", "EMPTY", ""));
        assertEquals("x1y", variables.expand("x${A}y"));
        assertEquals("11", variables.expand("${A}${A}"));
        assertEquals("", variables.expand("${EMPTY}"));
        assertEquals("d", variables.expand("${EMPTY:-d}"));
        assertEquals("d e", variables.expand("${NONE:-d e}"));
        assertEquals("${A}", variables.expand("$${A}"));
        assertEquals("$A {A} ${1}", variables.expand("$A {A} ${1}"));
    }

    @Test
    void unsetVariableIsNamed() {
        var e =
                assertThrows(
                        InvalidValueException.class,
                        () -> new Variables(Map.of()).expand("${NONE}"));
        assertEquals("the variable NONE is not set; ${NONE:-TEXT} sets a default", e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"127.0.0.1:80", "[::1]:8443", "localhost:0", "unix:/a b", "systemd:web"})
    void addressIsWrittenAsItWasRead(String text) {
        assertEquals(text, Address.parse(text).toString());
    }

    @Test
    void addressIsThatOfASocket() {
        var inet = assertInstanceOf(InetSocketAddress.class, Address.parse("[::1]:81").socket());
        assertEquals(81, inet.getPort());
        assertEquals(UnixDomainSocketAddress.of("/t.sock"), Address.parse("unix:/t.sock").socket());
        Address inherited = Address.parse("systemd:web");
        assertThrows(IllegalStateException.class, inherited::socket);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "80", ":80", "a:", "a:65536", "a:b", "::1:80", "unix:a", "systemd:"})
    void invalidAddressIsRejected(String text) {
        var e = assertThrows(IllegalArgumentException.class, () -> Address.parse(text));
        assertTrue(String.valueOf(e.getMessage()).contains("ADDR:PORT"), e::getMessage);
    }

    @Test
    void pathIsEncodedForUrls() {
        assertEquals("a/b-._~!$&'()*+,;=:@", UrlPaths.encode("a/b-._~!$&'()*+,;=:@"));
        assertEquals("a%20b%25%3F%23", UrlPaths.encode("a b%?#"));
        assertEquals("Zo%C3%AB", UrlPaths.encode("Zoë"));
    }

    @Test
    void textIsQuotedAsToml() {
        assertEquals("\"a\\\"b\\\\c\"", Toml.quoted("a\"b\\c"));
        assertEquals("\"\\n\\t\\u0001\\u007f\"", Toml.quoted("\n\t\u0001\u007f"));
        assertEquals("\"$${A}\"", Toml.quoted("${A}"));
        assertEquals("x-1_Y", Toml.key("x-1_Y"));
        assertEquals("\"a b\"", Toml.key("a b"));
        assertEquals("\"\"", Toml.key(""));
    }

    @Test
    void tokenIsTheFirstLine(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("token");
        var missing = assertThrows(IOException.class, () -> TokenFile.read(file));
        assertTrue(String.valueOf(missing.getMessage()).contains("openssl rand -hex 16"));
        Files.writeString(file, "  0123456789abcdef \nsecond line\n");
        assertEquals("0123456789abcdef", TokenFile.read(file));
        for (String invalid : List.of("", "0123456789abcde", "01234567 89abcdef", "é".repeat(16))) {
            Files.writeString(file, invalid, StandardCharsets.UTF_8);
            var e = assertThrows(IOException.class, () -> TokenFile.read(file), invalid);
            assertTrue(String.valueOf(e.getMessage()).contains("at least 16"), e::getMessage);
        }
    }

    /// A group may be the server's, as where root owns the file.
    @ParameterizedTest
    @CsvSource({"rw-------, 0", "rw-r-----, 0", "rw-rw----, 1", "rw-r--r--, 1", "rw-----w-, 1"})
    void tokenThatOthersMayReadIsAWarning(String mode, int count, @TempDir Path folder)
            throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "0123456789abcdef");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        var manage = ManagementSettings.at(new Address.Inet("127.0.0.1", 0)).withTokenFile(file);
        Validation validation = Validation.of(Configuration.DEFAULT.withManage(manage));
        assertEquals(List.of(), validation.problems());
        assertEquals(count, validation.warnings().size(), validation::toString);
    }

    @Test
    void socketsOfOtherProcessesAreNotInherited() throws IOException {
        Network network = Network.best();
        assertEquals(List.of(), InheritedSocket.fromSystemd(Map.of(), 7, network));
        for (Map<String, String> variables :
                List.of(
                        Map.of("LISTEN_FDS", "1", "LISTEN_PID", "8"),
                        Map.of("LISTEN_FDS", "0", "LISTEN_PID", "7"),
                        Map.of("LISTEN_FDS", "-1", "LISTEN_PID", "7"),
                        Map.of("LISTEN_FDS", "1001", "LISTEN_PID", "7"),
                        Map.of("LISTEN_FDS", "many", "LISTEN_PID", "7"))) {
            assertEquals(List.of(), InheritedSocket.fromSystemd(variables, 7, network));
        }
    }

    @Test
    void siteNeedsAServiceAndEachPathOnce() {
        var text = new Service.FixedResponse(200, "hi", "text/plain");
        assertThrows(IllegalArgumentException.class, () -> SiteSettings.NONE.check());
        SiteSettings.of(text).check();
        SiteSettings twice =
                SiteSettings.of(text)
                        .withLocations(
                                List.of(
                                        new SiteSettings.Location(
                                                "/", java.util.Optional.of(text))));
        assertThrows(IllegalArgumentException.class, twice::check);
    }

    @Test
    void statusOfARedirectionIsChecked() {
        for (int status : new int[] {301, 302, 303, 307, 308}) {
            assertEquals(status, new Service.Redirect("/", status).status());
        }
        for (int status : new int[] {200, 300, 304, 305, 306, 309}) {
            assertThrows(IllegalArgumentException.class, () -> new Service.Redirect("/", status));
        }
    }
}
