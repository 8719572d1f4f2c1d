package dev.tandem.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/// Every key of every table is read and written, and its wrong values are reported.
class KeysTest {
    private static final String SITE = "[[site]]\nrespond = { text = \"hi\" }\n";
    private static final String AT = "[[site]]\n[[site.at]]\npath = \"/x\"\n";
    private static final String TLS =
            SITE + "[[listen]]\naddress = \"a:1\"\n[listen.tls]\n" + "client_roots = \"r.pem\"\n";
    private static final String CERTIFICATE = TLS + "[[listen.tls.certificate]]\n";
    private static final String FILES = "[[site]]\n[site.files]\nroot = \"/srv\"\n";
    private static final String CGI = "[[site]]\n[site.cgi]\nroot = \"/srv\"\n";
    private static final String PROXY = "[[site]]\n[site.proxy]\nto = [\"h:1\"]\n";
    private static final String FASTCGI =
            "[[site]]\n[site.fastcgi]\nroot = \"/srv\"\nto = [\"h:1\"]\n";

    /// Lines of a table, none with the default value, in the form in which they are written.
    private record Table(String before, String after, List<String> lines) {
        static Table of(String before, String... lines) {
            return new Table(before, "", List.of(lines));
        }

        Table followedBy(String text) {
            return new Table(before, text, lines);
        }
    }

    static final List<Table> TABLES =
            List.of(
                    Table.of(
                            SITE + "[limits]\n",
                            "loops = 3",
                            "workers_max = 77",
                            "workers_min = 5",
                            "workers_nice = 3",
                            "connections_max = 1234",
                            "backlog = 99",
                            "event_streams_max = 12",
                            "session_cookies = [\"sid\", \"cart\"]",
                            "request_line_max = 2000",
                            "head_max = 20000",
                            "headers_max = 50",
                            "body_max = 4096",
                            "http2 = false",
                            "http2_clear_text = true",
                            "http2_streams_max = 20",
                            "http2_age_max = \"10m\"",
                            "idle_timeout = \"6s\"",
                            "head_timeout = \"7s\"",
                            "handshake_timeout = \"8s\"",
                            "body_rate_grace = \"9s\"",
                            "body_rate_min = 321",
                            "send_timeout = \"11s\"",
                            "stop_grace = \"12s\""),
                    Table.of(
                            SITE + "[process]\n",
                            "control = \"/run/c.sock\"",
                            "pid_file = \"/run/t.pid\""),
                    Table.of(
                            SITE + "[fleet]\n",
                            "agent = \"10.0.0.5:8091\"",
                            "peers = [\"10.0.0.0/8\", \"10.1.2.3\"]",
                            "balancers = 3",
                            "load_reports = true",
                            "capacity = 250",
                            "notice = \"7s\"",
                            "ending = \"8s\"",
                            "secret = \"/run/secrets/marks\""),
                    Table.of(
                            SITE + "[database]\n",
                            "fleet_connections = 90",
                            "fleet_name = \"shop-instances\""),
                    Table.of(
                            SITE + "[manage]\n",
                            "address = \"0.0.0.0:8090\"",
                            "open = true",
                            "token_file = \"/etc/token\"",
                            "trace = true"),
                    Table.of(
                            SITE + "[error_log]\n",
                            "file = \"/var/log/e.log\"",
                            "level = \"warning\""),
                    Table.of(
                            SITE + "[access_log]\n",
                            "file = \"/var/log/a.log\"",
                            "format = \"logfmt\"",
                            "fields = [\"status\", \"header.x-id\"]",
                            "rotate = 5000",
                            "keep = 3",
                            "queue = 2048"),
                    Table.of(
                            SITE + "[page_cache]\n",
                            "size = 1048576",
                            "compress = \"none\"",
                            "codec = \"lz4\"",
                            "replacement = \"lru\""),
                    Table.of(
                            SITE + "[[listen]]\n",
                            "address = \"unix:/run/t.sock\"",
                            "proxies = [\"10.0.0.0/8\"]",
                            "mode = \"rw-rw----\""),
                    Table.of(
                                    TLS,
                                    "min_version = \"1.3\"",
                                    "ticket_keys = \"keys\"",
                                    "client_certificates = \"required\"",
                                    "client_roots = \"r.pem\"",
                                    "engine = \"jdk\"",
                                    "strict_sni = true")
                            .followedBy("[[listen.tls.certificate]]\nchain = \"c.pem\"\n"),
                    Table.of(
                            TLS + "[listen.tls.acme]\n",
                            "names = [\"example.org\", \"www.example.org\"]",
                            "storage = \"/var/lib/acme\"",
                            "authority = \"letsencrypt-staging\"",
                            "email = \"a@example.org\"",
                            "proof = \"http-01\"",
                            "profile = \"shortlived\"",
                            "roots = \"r.pem\"",
                            "permission = \"http://127.0.0.1:9000/allowed\""),
                    Table.of(
                            CERTIFICATE,
                            "chain = \"c.pem\"",
                            "key = \"k.pem\"",
                            "ocsp = \"o.der\""),
                    Table.of(
                                    "[[site]]\n",
                                    "hosts = [\"a.example\", \"*.b.example\"]",
                                    "redirect_to_https = 8443",
                                    "strict_transport = \"30d\"",
                                    "headers = {X-A = \"b\"}",
                                    "error_pages = {404 = \"/e.html\"}")
                            .followedBy("respond = { text = \"hi\" }\n"),
                    Table.of(
                            SITE + "[site.password]\n",
                            "users = \"/etc/users\"",
                            "realm = \"the shop\"",
                            "paths = [\"/admin\"]"),
                    Table.of(
                            SITE + "[[site.rule]]\n",
                            "from = \"/a/*\"",
                            "to = \"/b/{rest}\"",
                            "redirect = 307"),
                    Table.of(
                            AT + "[site.at.redirect]\n",
                            "to = \"https://b.example/{path}\"",
                            "status = 302"),
                    Table.of(
                            AT + "[site.at.respond]\n",
                            "text = \"away\"",
                            "status = 503",
                            "type = \"text/html\""),
                    Table.of(
                            FILES,
                            "root = \"/srv\"",
                            "index = [\"home.html\"]",
                            "listing = 17",
                            "try_files = [\"{path}.html\"]",
                            "fallback = \"app.html\"",
                            "hidden = [\"*.bak\"]",
                            "links = \"none\"",
                            "cache = 12345",
                            "cache_file_max = 2345",
                            "recheck = \"1500ms\""),
                    Table.of(
                            FILES + "[site.files.compression]\n",
                            "precompressed = [\"gzip\"]",
                            "on_demand = []",
                            "file_min = 333",
                            "file_max = 4444",
                            "cache = 55555",
                            "types = [\"text/*\"]"),
                    Table.of(
                            FILES + "[[site.files.cache_control]]\n",
                            "files = \"assets/**\"",
                            "value = \"no-store\""),
                    Table.of(
                            CGI,
                            "root = \"/srv\"",
                            "processes = 3",
                            "queue = 4",
                            "queue_wait = \"5s\"",
                            "inactivity_timeout = \"6s\"",
                            "lifetime_max = \"7m\"",
                            "head_max = 512",
                            "inherited = [\"TZ\"]",
                            "variables = {A = \"b\"}",
                            "pass_authorization = true",
                            "follow_links = true"),
                    Table.of(
                            PROXY,
                            "to = [\"h:1\"]",
                            "attempts_max = 4",
                            "prefix = \"/api\"",
                            "host = \"inner.example\"",
                            "trust_forwarded = true",
                            "health_path = \"/health\"",
                            "health_interval = \"3s\"",
                            "connect_timeout = \"4s\"",
                            "response_timeout = \"31s\"",
                            "inactivity_timeout = \"32s\"",
                            "connections_max = 33",
                            "idle_connections_max = 7",
                            "idle_timeout = \"8s\"",
                            "failures_max = 9",
                            "down_time = \"2s\""),
                    Table.of(
                            FASTCGI,
                            "root = \"/srv\"",
                            "to = [\"h:1\"]",
                            "suffixes = [\".php\", \".php5\"]",
                            "index = \"main.php\"",
                            "front_controller = \"front.php\"",
                            "remote_root = \"/app\"",
                            "head_max = 512",
                            "variables = {A = \"b\"}",
                            "pass_authorization = true",
                            "follow_links = true",
                            "health_interval = \"3s\"",
                            "response_timeout = \"31s\""));

    private static Configuration parse(String text) throws ConfigException {
        return ConfigFile.parse("t.toml", text, Map.of());
    }

    private static String name(String line) {
        return line.substring(0, line.indexOf(' '));
    }

    /// Returns the text before a table's lines without those that the lines contain themselves.
    private static String start(Table table) {
        Set<String> names = table.lines().stream().map(KeysTest::name).collect(Collectors.toSet());
        int header = table.before().lastIndexOf("\n[") + 1;
        int rest = table.before().indexOf('\n', header) + 1;
        return table.before().substring(0, rest)
                + table.before()
                        .substring(rest)
                        .lines()
                        .filter(line -> !names.contains(name(line)))
                        .map(line -> line + "\n")
                        .collect(Collectors.joining());
    }

    @ParameterizedTest
    @FieldSource("TABLES")
    void everyKeyOfATableIsReadAndWritten(Table table) throws ConfigException {
        String text = start(table) + String.join("\n", table.lines()) + "\n" + table.after();
        Configuration configuration = parse(text);
        String written = ConfigFile.write(configuration);
        List<String> lines = written.lines().toList();
        for (String line : table.lines()) {
            assertTrue(lines.contains(line), line + " in\n" + written);
        }
        assertEquals(written, ConfigFile.write(parse(written)));
    }

    /// A key that is added needs a line in [#TABLES].
    @Test
    void everyKeyIsInATable() {
        Set<String> tested = new TreeSet<>();
        TABLES.forEach(table -> table.lines().forEach(line -> tested.add(name(line))));
        tested.addAll(Set.of("password", "path"));
        Set<String> defined =
                Pattern.compile(
                                "\"([a-z0-9_]+)\": \\{\"description\": \"[^\"]*(?:\\\\.[^\"]*)*\","
                                        + " (.)")
                        .matcher(ConfigFile.schema())
                        .results()
                        .map((MatchResult key) -> String.valueOf(key.group(1)))
                        .collect(Collectors.toCollection(TreeSet::new));
        Stream.of(
                        "access_log at cache_control certificate cgi compression database error_log"
                            + " fastcgi files fleet limits listen manage page_cache process proxy"
                            + " redirect respond rule site tls acme")
                .flatMap(names -> Arrays.stream(names.split(" ")))
                .forEach(tested::add);
        assertEquals(defined, tested);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "limits | loops = 16385 | 1..16384",
                "fleet | agent = \"unix:/a\" | must be ADDR:PORT",
                "fleet | peers = [\"10.0.0.0/33\"] | must be ADDRESS or ADDRESS/BITS",
                "fleet | balancers = 1001 | 0..1000",
                "fleet | notice = \"2h\" | notice must be",
                "limits | loops = \"3\" | must be a whole number",
                "limits | workers_max = 65537 | 1..65536",
                "limits | workers_min = -1 | 0..65536",
                "limits | workers_nice = 20 | 0..19",
                "limits | backlog = 0 | 1..65535",
                "limits | event_streams_max = 65537 | 0..65536",
                "limits | session_cookies = \"sid\" | must be a list, each a text",
                "limits | session_cookies = [3] | must be a text, was 3",
                "limits | request_line_max = 15 | 16..65536",
                "limits | head_max = 65537 | 1024..65536",
                "limits | headers_max = 10001 | 1..10000",
                "limits | body_max = \"1MB\" | must be a size in bytes such as",
                "limits | body_max = true | must be a size in bytes such as",
                "limits | head_timeout = \"0s\" | was",
                "limits | head_timeout = \"2d\" | was",
                "limits | stop_grace = \"1 year\" | must be a time such as",
                "error_log | level = \"trace\" | one of debug, info, warning, error, off",
                "error_log | file = 3 | must be a path, was 3",
                "access_log | keep = 1001 | keep must be 0..1000, was 1001",
                "access_log | queue = 1023 | queue must be 1024..1048576, was 1023",
                "access_log | rotate = 4095 | rotate must be 0 or at least 4096 bytes, was 4095",
                "access_log | format = \"JSON\" | must be one of common, combined, json, logfmt",
                "manage | address = \"systemd:web\" | the management address cannot be inherited",
                "manage | open = \"yes\" | must be true or false, was \"yes\"",
                "page_cache | codec = \"gzip\" | must be one of zstd, lz4, was \"gzip\"",
                "process | control = [] | must be a path, was a list",
                "process | pid_file = {} | must be a path, was a table",
            })
    void invalidValueIsReportedWithLineKeyAndReason(String table, String line, String reason) {
        String text = SITE + "[" + table + "]\n" + line + "\n";
        var e = assertThrows(ConfigException.class, () -> parse(text));
        String message = String.valueOf(e.getMessage());
        assertEquals(4, e.problems().stream().mapToInt(ConfigProblem::line).max().orElse(0));
        assertTrue(message.contains(table + "." + name(line)), message);
        assertTrue(message.contains(reason), message);
    }

    @ParameterizedTest
    @CsvSource({
        "worker_max, workers_max",
        "conections_max, connections_max",
        "laods, ''",
        "head_timout, head_timeout",
        "haed_max, head_max"
    })
    void unknownKeyIsReportedWithSuggestion(String key, String suggestion) {
        var e =
                assertThrows(
                        ConfigException.class, () -> parse(SITE + "[limits]\n" + key + " = 1\n"));
        String message = e.problems().getFirst().toString();
        assertTrue(message.startsWith("t.toml:4: limits." + key + " is no key"), message);
        assertEquals(
                !suggestion.isEmpty(),
                message.contains("did you mean " + suggestion + "?"),
                message);
        assertTrue(message.contains("Known here: loops, workers_max, "), message);
    }
}
