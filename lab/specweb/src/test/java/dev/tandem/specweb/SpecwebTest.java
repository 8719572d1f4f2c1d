package dev.tandem.specweb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The three sites in a stock Tomcat, with a real simulator.
@Timeout(60)
class SpecwebTest {
    private static final Tomcat TOMCAT = new Tomcat();
    private static HttpServer besim;

    @BeforeAll
    static void open(@TempDir Path home, @TempDir Path folder) throws Exception {
        besim = BeSim.start(0);
        FileSet.main(new String[] {folder.toString(), "banking", "0.04"});
        Files.copy(new File("src/main/webapp/style.css").toPath(), folder.resolve("style.css"));
        TOMCAT.setBaseDir(home.toString());
        TOMCAT.setPort(0);
        add("", folder, besim.getAddress().getPort());
        add("/gone", folder, 1);
        TOMCAT.getConnector();
        TOMCAT.start();
    }

    private static void add(String path, Path folder, int besimPort) {
        Context context = TOMCAT.addContext(path, folder.toString());
        Tomcat.addServlet(context, "default", new DefaultServlet()).addMapping("/");
        context.addParameter("specweb.besim", "http://127.0.0.1:" + besimPort + "/besim");
        context.addApplicationListener(Specweb.class.getName());
        context.setParentClassLoader(Specweb.class.getClassLoader());
    }

    @AfterAll
    static void close() throws Exception {
        TOMCAT.stop();
        TOMCAT.destroy();
        besim.stop(0);
    }

    /// A user with a browser.
    private static final class Person {
        private final CookieManager cookies = new CookieManager();
        private final HttpClient client =
                HttpClient.newBuilder()
                        .cookieHandler(cookies)
                        .version(HttpClient.Version.HTTP_1_1)
                        .build();

        private static HttpRequest.Builder to(String path) {
            int port = TOMCAT.getConnector().getLocalPort();
            return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        }

        HttpResponse<String> get(String path) throws Exception {
            return client.send(to(path).build(), HttpResponse.BodyHandlers.ofString());
        }

        HttpResponse<String> post(String path, String... fields) throws Exception {
            var form = new StringBuilder();
            for (int i = 0; i < fields.length; i += 2) {
                form.append(i == 0 ? "" : "&")
                        .append(fields[i])
                        .append('=')
                        .append(coded(fields[i + 1]));
            }
            HttpRequest request =
                    to(path).header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(HttpRequest.BodyPublishers.ofString(form.toString()))
                            .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }

        /// @return the page behind the form, with the token of its forms
        String signIn(String user) throws Exception {
            var reply = post("/banking/login", "user", user, "password", "password" + user);
            assertEquals(200, reply.statusCode(), reply.body());
            return token(reply.body());
        }

        String session() {
            return cookies.getCookieStore().getCookies().getFirst().getValue();
        }
    }

    private static String coded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String token(String page) {
        return page.replaceAll("(?s).*name=\"token\" value=\"([^\"]+)\".*", "$1");
    }

    private static void assertWhole(Screen screen, HttpResponse<String> reply) {
        assertEquals(200, reply.statusCode(), screen.path() + reply.body());
        String name = screen.name();
        String body = reply.body();
        assertTrue(body.contains("<meta name=\"page\" content=\"" + name + "\">"), body);
        assertTrue(body.endsWith("<!-- end of " + name + " -->\n"), body);
        int padding = screen.site().page(name).paddingBytes();
        assertTrue(body.length() >= padding, name);
        long markers = body.lines().filter(line -> line.startsWith("marker ")).count();
        assertEquals((padding + PageText.MARKER_BYTES - 1) / PageText.MARKER_BYTES, markers, name);
        long images = body.lines().filter(line -> line.contains("/images/")).count();
        assertEquals(screen.site().page(name).embedded().size(), images, name);
    }

    @Test
    void everyPage_isWholeAndOfItsLength() throws Exception {
        var person = new Person();
        person.signIn("2");
        person.post("/ecommerce/login", "user", "2", "password", "password2");
        String token = token(person.get("/banking/bill_pay").body());
        for (Screen screen : Screens.ALL) {
            boolean isApart =
                    screen.kind() == Screen.Kind.PICTURE
                            || screen.kind() == Screen.Kind.LOGIN
                            || screen.kind() == Screen.Kind.LOGOUT;
            if (isApart) {
                continue;
            }
            String[] fields = new String[2 + 2 * screen.fields().size()];
            fields[0] = "token";
            fields[1] = token;
            for (int i = 0; i < screen.fields().size(); i++) {
                fields[2 + 2 * i] = screen.fields().get(i);
                fields[3 + 2 * i] = "1";
            }
            var reply =
                    screen.isPost()
                            ? person.post(screen.path(), fields)
                            : person.get(screen.path());
            assertWhole(screen, reply);
        }
    }

    @Test
    void startPage_linksToTheSites_andFormsWork() throws Exception {
        var person = new Person();
        assertTrue(person.get("/").body().contains("/banking/login"));
        assertTrue(person.get("/banking/login").body().contains("type=\"password\""));
        assertTrue(person.get("/support/home").body().contains("/support/catalog"));
    }

    @Test
    void cheque_isVisibleToItsOwnerOnly_andHasItsLength() throws Exception {
        var person = new Person();
        assertEquals(403, person.get("/banking/check_image_front?check=3").statusCode());
        person.signIn("1");
        var front = person.get("/banking/check_image_front?check=3");
        assertEquals(200, front.statusCode());
        assertEquals(
                String.valueOf(10_757 + 3 * 511),
                front.headers().firstValue("Content-Length").orElse(""));
        assertTrue(front.body().contains("user0000000001/CIF000003"), "another user's");
        assertEquals(404, person.get("/banking/check_image_front?check=11").statusCode());
        assertEquals(404, person.get("/banking/check_image_front?check=..%2F..").statusCode());
        assertEquals(
                404,
                person.get("/META-INF/checks/user0000000002/CIF000003").statusCode(),
                "direct");
    }

    @Test
    void wrongPassword_isRejected() throws Exception {
        var person = new Person();
        for (String[] wrong :
                new String[][] {
                    {"1", "password2"}, {"x", "passwordx"}, {"-1", "p"}, {"01", "password01"}
                }) {
            var reply = person.post("/banking/login", "user", wrong[0], "password", wrong[1]);
            assertEquals(403, reply.statusCode(), wrong[0]);
        }
        assertEquals(400, person.post("/banking/login", "user", "1").statusCode());
        assertEquals(403, person.get("/banking/account_summary").statusCode());
    }

    @Test
    void shopsCustomer_isNotSignedInAtTheBank() throws Exception {
        var person = new Person();
        person.post("/ecommerce/login", "user", "1", "password", "password1");
        assertEquals(403, person.get("/banking/account_summary").statusCode());
    }

    @Test
    void forgedForm_isRejected() throws Exception {
        var person = new Person();
        person.signIn("1");
        String[] fields = {"payee", "P", "amount", "1"};
        assertEquals(403, person.post("/banking/quick_pay", fields).statusCode());
        String stolen = new Person().signIn("2");
        assertEquals(
                403,
                person.post("/banking/quick_pay", "payee", "P", "amount", "1", "token", stolen)
                        .statusCode());
        assertEquals(405, person.get("/banking/quick_pay?payee=P&amount=1").statusCode());
        assertEquals(405, person.post("/banking/bill_pay").statusCode());
    }

    @Test
    void sessionIdFromBeforeSignIn_isInvalid() throws Exception {
        var person = new Person();
        person.get("/ecommerce/customize3"); // has a form, and so begins a session
        String before = person.session();
        person.signIn("1");
        assertNotEquals(before, person.session());
        var request =
                Person.to("/banking/account_summary").header("Cookie", "JSESSIONID=" + before);
        var reply =
                HttpClient.newHttpClient()
                        .send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(403, reply.statusCode());
    }

    @Test
    void signInByALinkIsRejected() throws Exception {
        var person = new Person();
        String link = "/banking/login?user=1&password=password1";
        var head = Person.to(link).HEAD().build();
        var reply = person.client.send(head, HttpResponse.BodyHandlers.ofString());
        assertEquals(200, reply.statusCode(), "it is the form's");
        assertEquals(200, person.get(link).statusCode());
        assertEquals(403, person.get("/banking/account_summary").statusCode());
    }

    @Test
    void malformedRequest_getsTheSitesErrorPage() throws Exception {
        var person = new Person();
        var reply = person.get("/support/search?q=%ff%fe");
        assertEquals(400, reply.statusCode());
        assertFalse(reply.body().contains("Exception"), reply.body());
    }

    @Test
    void signOut_endsTheSession() throws Exception {
        var person = new Person();
        String token = person.signIn("1");
        assertEquals(200, person.post("/banking/logout", "token", token).statusCode());
        assertEquals(403, person.get("/banking/account_summary").statusCode());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<img src=x onerror=alert(1)>",
                "'; drop table users; --",
                "1&4&1&1\n0",
                "\"><b>",
                "\0"
            })
    void userInput_isTextOrRejected(String text) throws Exception {
        var person = new Person();
        person.signIn("1");
        for (Screen screen : Screens.ALL) {
            for (String field : screen.fields()) {
                if (!screen.isPost()) {
                    var reply = person.get(screen.path() + "?" + field + "=" + coded(text));
                    assertFalse(reply.body().contains("<img src=x"), screen.path());
                    assertFalse(reply.body().contains("\"><b>"), screen.path());
                    assertTrue(reply.statusCode() != 500, screen.path() + reply.body());
                }
            }
        }
        assertEquals(400, person.get("/support/search?q=" + "x".repeat(101)).statusCode());
    }

    @Test
    void missingSimulator_causes503() throws Exception {
        var reply = new Person().post("/gone/banking/login", "user", "1", "password", "password1");
        assertEquals(503, reply.statusCode());
        assertTrue(reply.headers().firstValue("Retry-After").isPresent());
    }
}
