package dev.tandem.filters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.password4j.Argon2Function;
import com.password4j.types.Argon2;
import dev.tandem.http.Handler;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BasicAuthTest {
    /// Made by: htpasswd -nbB -C 4 anna secret
    private static final String ANNA =
            "anna:$2y$04$4IINiJBCRG65..1pRp0Ik.WeZaEI4H4eFl4Lw4VQdI.TuqeOJus6e";

    private static final String BERT =
            "bert:$2y$04$lv6VbbeAT8V.VL8aI8DdGuRTEnKjceQJBYc002Zc.AG/LHFWay4FS";

    private Web web;

    @BeforeEach
    void serve() throws IOException {
        BasicAuth auth =
                BasicAuth.of("Anna's place", users(ANNA, BERT)).under(List.of("/private", "/x/"));
        Handler quick = Handler.nonBlocking(x -> x.send(Thread.currentThread().getName()));
        web =
                new Web(
                        site ->
                                site.filter(auth)
                                        .get(
                                                "/{path...}",
                                                x -> x.send("for " + x.attribute(BasicAuth.USER)))
                                        .route("DELETE", "/{path...}", quick));
    }

    @AfterEach
    void stop() {
        web.close();
    }

    private static Users users(String... lines) {
        return Users.of("users", List.of(lines));
    }

    private static String basic(String credentials) {
        byte[] bytes = credentials.getBytes(StandardCharsets.UTF_8);
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(bytes);
    }

    @Test
    void requestWithTheRightPasswordIsHandled() throws IOException {
        assertEquals("for anna", web.get("/private/a", basic("anna:secret")).text());
        assertEquals("for anna", web.get("/private/a", basic("anna:secret")).text());
        assertEquals("for bert", web.get("/x/a", basic("bert:pass:wörd")).text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "anna:wrong",
                "anna:",
                "anna",
                ":secret",
                "Anna:secret",
                "anna:secret\0",
                "nobody:secret",
                ""
            })
    void requestWithoutTheRightPasswordIsChallenged(String credentials) throws IOException {
        Web.Response response = web.get("/private", basic(credentials));
        assertEquals(401, response.status());
        assertEquals(
                "Basic realm=\"Anna's place\", charset=\"UTF-8\"",
                response.field("WWW-Authenticate"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Basic",
                "Authorization: Basic !!!!",
                "Authorization: Basic /////w==",
                "Authorization: Bearer YW5uYTpzZWNyZXQ=",
                "X: y"
            })
    void requestWithMalformedCredentialsIsChallenged(String field) throws IOException {
        assertEquals(401, web.get("/private/", field).status());
    }

    @ParameterizedTest
    @CsvSource({
        "/private, 401",
        "/private/, 401",
        "/private/a, 401",
        "//private//a, 401",
        "/p%72ivate, 401",
        "/a/../private, 401",
        "/a/%2e%2e/private, 401",
        "/./private, 401",
        "/x/, 401",
        "/x, 401",
        "/private;x, 401",
        "/private;, 401",
        "/private;jsessionid=1, 401",
        "/private;x/a, 401",
        "/private/a;x, 401",
        "/;x/private, 401",
        "/;x/;y/private;z/a, 401",
        "/private%3Bx, 401",
        "/private%3bx/a, 401",
        "/%3B/private, 401",
        "/x;/a, 401",
        "/x;a, 401",
        "/privateer;x, 200",
        "/priv;/ate, 200",
        "/a;jsessionid=1, 200",
        "/a;/private, 200",
        "/private%253Bx, 200",
        "/privateer, 200",
        "/%2570rivate, 200",
        "/, 200"
    })
    void protectedPathIsProtectedInEverySpelling(String target, int status) throws IOException {
        assertEquals(status, web.get(target).status());
        Web.Response quick = web.ask("DELETE", target);
        assertEquals(status, quick.status());
        assertTrue(status == 401 || quick.text().startsWith("tandem-loop"), quick.text());
    }

    @Test
    void passwordIsHashedOnAWorker() throws IOException {
        String thread = web.ask("DELETE", "/private/a", basic("anna:secret")).text();
        assertTrue(thread.startsWith("tandem-worker"), thread);
    }

    /// As a filter presents it that removes the version of an interface.
    @Test
    void passwordOfAPathThatAFilterPresentsIsHashedOnAWorker() throws IOException {
        BasicAuth auth = BasicAuth.of("here", users(ANNA)).under(List.of("/admin"));
        Handler quick = Handler.nonBlocking(x -> x.send(Thread.currentThread().getName()));
        try (var versions =
                new Web(
                        site ->
                                site.filter("/v1", Presented.as("/admin"))
                                        .filter(auth)
                                        .get("/{path...}", quick))) {
            String thread = versions.get("/v1/admin", basic("anna:secret")).text();
            assertTrue(thread.startsWith("tandem-worker"), thread);
            assertEquals(401, versions.get("/v1/admin").status());
            String other = versions.get("/v2/a").text();
            assertTrue(other.startsWith("tandem-loop"), other);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "admin",
                "",
                "/admin/*",
                "/a//b",
                "//",
                "/a/./b",
                "/a/../b",
                "/a/..",
                "/my%20files",
                "/admin;x",
                "/a\\b",
                "/a\n"
            })
    void pathThatMatchesNothingIsRejected(String path) {
        BasicAuth auth = BasicAuth.of("here", users(ANNA));
        List<String> paths = List.of("/x", path);
        assertThrows(IllegalArgumentException.class, () -> auth.under(paths));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/a/",
                "/a.b/..c",
                "/my files",
                "/\u00e9",
                "/C#",
                "/100%",
                "/a*b",
                "/what?"
            })
    void pathThatRequestsMayHaveIsAccepted(String path) {
        assertNotNull(BasicAuth.of("here", users(ANNA)).under(List.of(path)));
    }

    @Test
    void protectedPathWithASessionIsHandled() throws IOException {
        assertEquals("for anna", web.get("/private/a;jsessionid=1", basic("anna:secret")).text());
        assertEquals("for null", web.get("/a;jsessionid=1", basic("anna:secret")).text());
    }

    @Test
    void timeForAnUnknownUserIsThatOfAKnownOne() {
        Users users = users(ANNA);
        cpuNanos(users, "anna");
        long known = cpuNanos(users, "anna");
        long unknown = cpuNanos(users, "nobody");
        // A hash of cost 10 would take 64 times as long.
        assertTrue(unknown < 16 * known, unknown + " ns to " + known);
    }

    private static long cpuNanos(Users users, String name) {
        var threads = java.lang.management.ManagementFactory.getThreadMXBean();
        long begin = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < 5; i++) {
            assertFalse(users.isPasswordCorrect(name, "wrong"));
        }
        return threads.getCurrentThreadCpuTime() - begin;
    }

    @Test
    void requestBeyondTheHashingLimitIs503() throws IOException {
        var full = new HashingLimit(1, 0, Duration.ofMinutes(1));
        full.acquire();
        BasicAuth auth = BasicAuth.of("here", users(ANNA), full);
        try (var protectedSite = new Web(site -> site.filter(auth).get("/", x -> x.send("in")))) {
            assertEquals(503, protectedSite.get("/", basic("anna:wrong")).status());
        }
    }

    @Test
    void verifiedPasswordIsCachedForAMinute() {
        var now = new AtomicLong();
        var verified = new VerifiedCredentials(now::get);
        verified.put("Basic a", "anna");
        now.set(59_999_999_999L);
        assertEquals("anna", verified.user("Basic a"));
        assertNull(verified.user("Basic b"));
        now.set(60_000_000_000L);
        assertNull(verified.user("Basic a"));
    }

    @Test
    void verifiedCredentialsAreBoundedInNumber() {
        var verified = new VerifiedCredentials(() -> 0);
        for (int i = 0; i < 2_000; i++) {
            verified.put("Basic " + i, "anna");
        }
        assertNull(verified.user("Basic 975"));
        assertEquals("anna", verified.user("Basic 976"));
    }

    @Test
    void argon2HashIsVerified() {
        var function = Argon2Function.getInstance(64, 1, 1, 32, Argon2.ID, 19);
        Users users = users("carl:" + function.hash("secret").getResult());
        assertTrue(users.isPasswordCorrect("carl", "secret"));
        assertFalse(users.isPasswordCorrect("carl", "Secret"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "anna                        | not name:hash",
                ":x                          | not name:hash",
                "anna:plain                  | the hash is neither bcrypt nor argon2",
                "anna:$apr1$x$y              | the hash is neither",
                "anna:{SHA}x                 | the hash is neither",
                "anna:$argon2id$v=19$m=9999999,t=3,p=1$c29tZXNhbHRz$MTIzNDU2Nzg5MDEyMzQ1Njc4"
                        + "| memory (m, in KiB) must be 8..262144"
            })
    void malformedLineIsRejectedWithItsNumber(String line, String what) {
        var thrown = assertThrows(IllegalArgumentException.class, () -> users("# x", line));
        String message = String.valueOf(thrown.getMessage());
        assertTrue(message.startsWith("users, line 2: "), message);
        assertTrue(message.contains(what), message);
    }

    @Test
    void excessiveCostIsRejected() {
        String dear = ANNA.replace("$04$", "$31$");
        assertThrows(IllegalArgumentException.class, () -> users(dear));
        assertThrows(IllegalArgumentException.class, () -> users(ANNA, ANNA));
    }

    @Test
    void fileOfUsersIsRead(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("users"), "# people\n\n" + ANNA + "\n");
        assertEquals(1, Users.of(file).count());
    }

    @Test
    void fileOfUsersThatIsNotUtf8IsNamed(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("users"), new byte[] {(byte) 0xe4});
        var e = assertThrows(IOException.class, () -> Users.of(file));
        assertEquals("the file of users " + file + " is not UTF-8", e.getMessage());
    }
}
