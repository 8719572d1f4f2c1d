package dev.tandem.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Valid files, and every kind of problem.
class ConfigFileTest {
    private static final String SITE = "[[site]]\nrespond = { text = \"hi\" }\n";

    private static Configuration parse(String text) throws ConfigException {
        return ConfigFile.parse("t.toml", text, Map.of("PORT", "8081", "EMPTY", ""));
    }

    private static List<String> problems(String text) {
        var e = assertThrows(ConfigException.class, () -> parse(text));
        return e.problems().stream().map(ConfigProblem::toString).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[limits]~workers_mx = 3 | t.toml:2: limits.workers_mx is no key; did you mean"
                        + " workers_max?",
                "[limits]~workers_max = 0 | t.toml:2: limits.workers_max = 0: workersMax must be"
                        + " 1..65536, was 0",
                "[limits]~workers_max = \"many\" | t.toml:2: limits.workers_max must be a whole"
                        + " number, was \"many\"",
                "[limits]~workers_max = 99999999999 | t.toml:2: limits.workers_max must be a whole"
                        + " number, was 99999999999",
                "[limits]~head_timeout = 20 | t.toml:2: limits.head_timeout must be a time such as",
                "[limits]~head_timeout = \"2 days\" | was \"2 days\"",
                "[limits]~body_max = \"16 MB\" | t.toml:2: limits.body_max must be a size in bytes"
                        + " such as",
                "[limts]~workers_max = 3 | t.toml:1: limts is no key; did you mean limits?",
                "[[listen]]~mode = \"rw-rw----\" | t.toml:1: listen[1].address is missing",
                "[[listen]]~address = \"80\" | t.toml:2: listen[1].address must be ADDR:PORT",
                "[[listen]]~address = \"a:65536\" | t.toml:2: listen[1].address must be ADDR:PORT",
                "[[listen]]~address = \"a:1\"~mode = \"rw-rw----\" | has none",
                "[[listen]]~address = \"a:1\"~[[listen]]~address = \"a:1\" | t.toml:3: listen[2]:"
                        + " address a:1 is used in line 1 already",
                "[[listen]]~address = \"a:1\"~[listen.tls]~min_version = \"1.2\" |"
                        + " listen[1].tls: certificate is missing",
                "[[listen]]~address = \"a:1\"~[listen.tls.acme]~names = [\"a.example\"] | t.toml:3:"
                        + " listen[1].tls.acme.storage is missing",
                "[[listen]]~address = \"a:1\"~[listen.tls.acme]~storage = \"x\" | t.toml:3:"
                        + " listen[1].tls.acme: names is empty",
                "[[listen]]~address = \"a:1\"~[listen.tls.acme]~storage = \"x\"~names ="
                        + " [\"*.a.example\"] | t.toml:5: listen[1].tls.acme.names",
                "[[listen]]~address = \"a:1\"~[listen.tls.acme]~storage = \"x\"~authority ="
                        + " \"http://a\" | t.toml:5: listen[1].tls.acme.authority must be",
                "[database]~fleet_conections = 9~fleet_name = \"a\"~fleet_connections = 9 |"
                        + " t.toml:2:"
                        + " database.fleet_conections is no key; did you mean fleet_connections?",
                "[database]~fleet_connections = 1~fleet_name = \"a\" | t.toml:2:"
                        + " database.fleet_connections = 1: fleet_connections must be 2..1000000",
                "[database]~fleet_connections = 9 | t.toml:1: database.fleet_name is missing",
                "[manage]~address = \"0.0.0.0:1\" | can be reached from other machines",
                "[access_log]~format = \"apache\" | must be one of common, combined, json, logfmt,"
                        + " was \"apache\"",
                "[access_log]~format = \"json\"~fields = [\"state\"] | no such field: 'state'",
                "[access_log]~fields = [\"status\"] | the fields of this format are fixed",
                "[process]~control = \"${NOPE}\" | t.toml:2: process.control: the variable NOPE is"
                        + " not set; ${NOPE:-TEXT} sets a default",
            })
    void problemHasFileLineAndKey(String text, String expected) {
        List<String> problems = problems(text.replace("~", "\n") + "\n" + SITE);
        assertEquals(1, problems.size(), () -> problems.toString());
        assertTrue(problems.getFirst().contains(expected), problems.getFirst());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[[site]] | site[1]: there is no service",
                "[[site]]~hosts = [\"a_b!\"]~respond = {text = \"\"} | was 'a_b!'",
                "[[site]]~headers = {\"a b\" = \"c\"}~respond = {text = \"\"} | site[1].headers",
                "[[site]]~respond = {text = \"\"}~redirect = {to = \"/\"} | there is a service"
                        + " already",
                "[[site]]~respond = {text = \"\", status = 204} | status must be 200..599",
                "[[site]]~redirect = {to = \"/\", status = 305} | status must be 301, 302",
                "[[site]]~redirect = {to = \"https://a.example{path}\"} | t.toml:2:"
                        + " site[1].redirect.to = \"https://a.example{path}\": {path} must follow a"
                        + " slash",
                "[[site]]~redirect = {to = \"//{path}/\"} | {path} must follow a slash",
                "[[site]]~redirect = {to = \"{path}\"} | {path} must follow a slash",
                "[[site]]~redirect = {to = \"///{path}\"} | {path} must follow a slash",
                "[[site]]~redirect = {to = \"https:///{path}\"} | {path} must follow a slash",
                "[[site]]~redirect = {to = \"https:/{path}\"} | {path} must follow a slash",
                "[[site]]~redirect = {to = \"/a\\nb\"} | not a header value",
                "[[site]]~respond = {text = \"\"}~[site.password]~users = \"u\"~paths = [\"a\"] |"
                        + " t.toml:3: site[1].password: a path must begin with a slash",
                "[[site]]~respond = {text = \"\"}~[site.password]~users = \"u\"~realm = 'a \"b\"' |"
                        + " t.toml:3: site[1].password: a realm must be ASCII without quotes",
                "[[site]]~[[site.at]]~path = \"a\"~respond = {text = \"\"} | must be a path such as"
                        + " /api",
                "[[site]]~[[site.at]]~path = \"/a\" | site[1].at[1]: there is no service",
                "[[site]]~respond = {text = \"\"}~[[site]]~respond = {text = \"\"} | site[2]: the"
                        + " site without hosts is used in line 1 already",
                "[[site]]~hosts=[\"a\"]~respond = {text = \"\"}~[[site]]~hosts=[\"a\"]~respond ="
                        + " {text = \"\"} | site[2]: a is used in line 1 already",
                "[[site]]~respond = {text = \"\"}~[site.password]~users = \"u\"~paths ="
                    + " [\"/admin/*\"] | t.toml:3: site[1].password: '/admin/*' protects nothing",
                "[limits]~loops = 1 | site is missing",
            })
    void invalidSiteIsReported(String text, String expected) {
        List<String> problems = problems(text.replace("~", "\n"));
        assertTrue(problems.getFirst().contains(expected), problems.getFirst());
    }

    @Test
    void pathOfARedirectionMayBeAnywhereBehindTheHost() throws ConfigException {
        for (String to :
                List.of(
                        "/{path}",
                        "https://a.example/{path}",
                        "//a.example/b-{path}",
                        "/?a={path}",
                        "?a={path}",
                        "below/{path}",
                        "https://a.example?a={path}")) {
            parse("[[site]]\nredirect = {to = \"" + to + "\"}\n");
        }
    }

    @Test
    void allProblemsAreReportedInOrderOfLines() {
        List<String> problems =
                problems(
                        """
                        [[site]]
                        respond = { txt = "hi" }
                        [limits]
                        loops = 0
                        sped = 3
                        """);
        assertEquals(4, problems.size(), () -> problems.toString());
        assertTrue(problems.get(0).startsWith("t.toml:2: site[1].respond"), problems.get(0));
        assertTrue(problems.get(2).startsWith("t.toml:4: "), problems.get(2));
        assertTrue(problems.get(3).startsWith("t.toml:5: limits.sped"), problems.get(3));
    }

    @Test
    void malformedTomlIsReportedWithItsLine() {
        List<String> problems = problems("[limits]\nloops = = 3\n");
        assertTrue(problems.getFirst().startsWith("t.toml:2: this is not TOML"));
    }

    @Test
    void wrongEscapeInTheNameOfATableIsReportedWithItsLine() {
        List<String> problems = problems("[limits]\n[\"\\E\"]\n");
        assertEquals(1, problems.size(), () -> problems.toString());
        assertTrue(problems.getFirst().startsWith("t.toml:2: this is not TOML"));
    }

    @Test
    void tooDeepNestingIsReported() {
        List<String> problems = problems("a = " + "[".repeat(100_000));
        assertTrue(problems.getFirst().endsWith("nested too deeply"), problems.getFirst());
    }

    /// A device or a pipe has no length of its own.
    @Test
    @Timeout(60)
    void fileWithoutEndIsReported() {
        Path file = Path.of("/dev/zero");
        Assumptions.assumeTrue(Files.exists(file));
        var e = assertThrows(ConfigException.class, () -> ConfigFile.read(file));
        assertTrue(String.valueOf(e.getMessage()).contains("is larger than"), e.getMessage());
    }

    @Test
    void fileThatIsNotUtf8IsReported(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("a.toml"), new byte[] {(byte) 0xff});
        var e = assertThrows(ConfigException.class, () -> ConfigFile.read(file));
        assertTrue(String.valueOf(e.getMessage()).endsWith("a.toml: is not UTF-8"));
    }

    @Test
    void missingFileIsReported(@TempDir Path folder) {
        var e =
                assertThrows(
                        ConfigException.class, () -> ConfigFile.read(folder.resolve("a.toml")));
        assertTrue(
                String.valueOf(e.getMessage()).endsWith("a.toml: does not exist"), e.getMessage());
    }

    @Test
    void fileOfAnotherUserIsReported(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("a.toml"), "");
        assertTrue(file.toFile().setReadable(false));
        Assumptions.assumeFalse(Files.isReadable(file), "skipped: root may read everything");
        var e = assertThrows(ConfigException.class, () -> ConfigFile.read(file));
        assertTrue(
                String.valueOf(e.getMessage()).endsWith("a.toml: may not be read by this user"),
                e.getMessage());
    }

    @Test
    void missingFolderIsReportedWhenReadForUse(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("a.toml");
        Files.writeString(file, "[[site]]\nfiles = { root = \"" + folder + "/no\" }\n");
        var e = assertThrows(ConfigException.class, () -> ConfigFile.read(file));
        assertEquals(2, e.problems().getFirst().line());
        assertTrue(
                String.valueOf(e.getMessage()).contains("must be an existing folder"),
                e.getMessage());
    }

    @Test
    void programsInServedFolderAreRejected() {
        List<String> problems =
                problems(
                        """
                        [[site]]
                        files = { root = "/srv/www" }
                        [[site.at]]
                        path = "/run"
                        cgi = { root = "/srv/www/secret" }
                        """);
        assertTrue(problems.getFirst().contains("would be served as files"));
    }

    private static String sites(String filesPath, String filesRoot, String cgiPath, String cgi) {
        return """
        [[site]]
        respond = { text = "" }
        [[site.at]]
        path = "%s"
        files = { root = "%s" }
        [[site.at]]
        path = "%s"
        cgi = { root = "%s" }
        """
                .formatted(filesPath, filesRoot, cgiPath, cgi);
    }

    /// The place of the programs must be theirs where the files are served, too.
    @Test
    void programsThatArePartOfServedFilesAtAPathAreRejected() throws ConfigException {
        List<String> problems = problems(sites("/static", "/srv/app", "/cgi", "/srv/app/cgi"));
        assertTrue(problems.getFirst().contains("would be served as files"), problems.getFirst());
        parse(sites("/static", "/srv/app", "/static/cgi", "/srv/app/cgi"));
        parse(sites("/static", "/srv/app", "/cgi", "/srv/cgi"));
    }

    @Test
    void linkToProgramsInAServedFolderIsFollowed(@TempDir Path folder) throws IOException {
        Path programs = Files.createDirectories(folder.resolve("www/bin"));
        Path link = Files.createSymbolicLink(folder.resolve("cgi"), programs);
        Path root = folder.resolve("www");
        List<String> problems = problems(sites("/static", root + "", "/run", link + ""));
        assertTrue(problems.getFirst().contains("would be served as files"), problems.getFirst());
    }

    private static String scripts(String filesRoot, String hidden, String path, String root) {
        return """
        [[site]]
        files = { root = "%s", hidden = [%s] }
        [[site.at]]
        path = "%s"
        fastcgi = { root = "%s", to = ["unix:/run/php.sock"] }
        """
                .formatted(filesRoot, hidden, path, root);
    }

    /// Their sources have passwords of databases.
    @Test
    void scriptsThatArePartOfServedFilesAreRejected() throws ConfigException {
        List<String> problems = problems(scripts("/srv/www", "", "/php", "/srv/www/app"));
        assertTrue(problems.getFirst().contains("would be served as files"), problems.getFirst());
        problems = problems(scripts("/srv/www", "\"*.html\"", "/app", "/srv/www"));
        assertTrue(problems.getFirst().contains("would be served as files"), problems.getFirst());
        parse(scripts("/srv/www", "", "/app", "/srv/www/app"));
        parse(scripts("/srv/www", "\"*.php\"", "/php", "/srv/www/app"));
        parse(scripts("/srv/www", "\"/app/**\"", "/php", "/srv/www/app"));
        parse(scripts("/srv/www/app/static", "", "/php", "/srv/www/app"));
    }

    /// A site with an application serves its other files, too.
    @Test
    void programsBelowAnApplicationAreRejected() throws ConfigException {
        String site =
                """
                [[site]]
                fastcgi = { root = "/srv/www", to = ["unix:/run/php.sock"] }
                [[site.at]]
                path = "%s"
                cgi = { root = "/srv/www/private/cgi" }
                """;
        List<String> problems = problems(site.formatted("/run"));
        assertTrue(problems.getFirst().contains("would be served as files"), problems.getFirst());
        parse(site.formatted("/private/cgi"));
    }

    /// An application runs its scripts in any case.
    @Test
    void scriptsThatAnApplicationRunsInAnotherCaseAreNotServed() throws ConfigException {
        String site =
                """
                [[site]]
                fastcgi = { root = "/srv/www", to = ["unix:/run/php.sock"], suffixes = [".PHP"] }
                [[site.at]]
                path = "/run"
                fastcgi = { root = "/srv/www/app", to = ["unix:/run/b.sock"], suffixes = ["%s"] }
                """;
        parse(site.formatted(".php"));
        List<String> problems = problems(site.formatted(".pl"));
        assertTrue(
                problems.getFirst()
                        .endsWith("/srv/www, or in a folder whose name begins with a dot"),
                problems.getFirst());
    }

    @Test
    void namesOfSitesThatDifferInCaseOnlyAreTheSame() {
        List<String> problems =
                problems(
                        """
                        [[site]]
                        hosts = ["a.example"]
                        respond = { text = "" }
                        [[site]]
                        hosts = ["A.Example"]
                        respond = { text = "" }
                        """);
        assertTrue(problems.getFirst().contains("a.example is used in line 1 already"));
    }

    @Test
    void proxyThatIsNoAddressIsNamedWithItsLine() {
        List<String> problems =
                problems(SITE + "[[listen]]\naddress = \"[::1]:80\"\nproxies = [\"lan\"]\n");
        assertTrue(problems.getFirst().contains("listen[1].proxies"), problems.getFirst());
    }

    @Test
    void variablesStandForTextsAndNumbers() throws ConfigException {
        Configuration configuration =
                parse(
                        SITE
                                + """
                                [[listen]]
                                address = "127.0.0.1:${PORT}"
                                [limits]
                                workers_max = "${WORKERS:-7}"
                                [process]
                                control = "${EMPTY:-/run}/$${PORT}"
                                """);
        assertEquals("127.0.0.1:8081", configuration.listeners().getFirst().address().toString());
        assertEquals(7, configuration.limits().threads().workersMax());
        assertEquals(Path.of("/run/${PORT}"), configuration.process().control().orElseThrow());
    }

    @Test
    void effectiveConfigurationParsesToTheSame() throws ConfigException {
        Configuration configuration =
                parse(
                        """
                        [[listen]]
                        address = "[::1]:8443"
                        tls.certificate = [ { chain = "c.pem", key = "k.pem" } ]
                        [[listen]]
                        address = "unix:/run/t.sock"
                        mode = "rw-rw----"
                        [access_log]
                        format = "json"
                        fields = ["time", "status", "header.x-id"]
                        rotate = "100MiB"
                        [[site]]
                        hosts = ["a.example", "*.a.example"]
                        headers = { X-A = "$${b} \\"q\\"" }
                        strict_transport = "30d"
                        files = { root = "/srv/www", listing = 100, recheck = "1500ms" }
                        [[site.files.cache_control]]
                        files = "assets/**"
                        value = "public, max-age=31536000, immutable"
                        [[site.at]]
                        path = "/run/"
                        cgi = { root = "/srv/cgi", variables = { A = "b" } }
                        [[site]]
                        redirect = { to = "https://a.example/{path}" }
                        """);
        String written = ConfigFile.write(configuration);
        assertEquals(written, ConfigFile.write(parse(written)));
        assertTrue(written.contains("X-A = \"$${b} \\\"q\\\"\""), written);
        assertTrue(written.contains("path = \"/run\""), written);
    }

    @Test
    void passwordsAreNotWritten() throws ConfigException {
        Configuration configuration =
                parse(
                        SITE
                                + """
                                [[listen]]
                                address = "a:1"
                                tls.certificate = [ { chain = "c.p12", password = "hush" } ]
                                """);
        assertFalse(ConfigFile.write(configuration).contains("hush"));
        assertFalse(configuration.toString().contains("hush"));
    }
}
