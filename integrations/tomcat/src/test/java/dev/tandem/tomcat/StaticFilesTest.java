package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.RawClient;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Static files of applications whose `web.xml` protects some of them: each response is the same as
/// the stock connector's, and no request bypasses a constraint or a filter.
@Timeout(60)
class StaticFilesTest {
    private static final String SECRET = "~~~~ the secret of the site";
    private static final String ANN =
            "Authorization: Basic " + Base64.getEncoder().encodeToString("ann:pw".getBytes());
    private static final String WEB_XML =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1" metadata-complete="true">
              <security-constraint>
                <web-resource-collection>
                  <web-resource-name>guarded</web-resource-name>
                  <url-pattern>/guarded/*</url-pattern>
                </web-resource-collection>
                <auth-constraint><role-name>reader</role-name></auth-constraint>
              </security-constraint>
              <security-constraint>
                <web-resource-collection>
                  <web-resource-name>enciphered</web-resource-name>
                  <url-pattern>/enciphered/*</url-pattern>
                </web-resource-collection>
                <user-data-constraint>
                  <transport-guarantee>CONFIDENTIAL</transport-guarantee>
                </user-data-constraint>
              </security-constraint>
              <login-config>
                <auth-method>%s</auth-method>
                <form-login-config>
                  <form-login-page>/login.html</form-login-page>
                  <form-error-page>/error.html</form-error-page>
                </form-login-config>
              </login-config>
              <security-role><role-name>reader</role-name></security-role>
              <error-page><error-code>404</error-code><location>/missing.html</location></error-page>
            </web-app>
            """;

    private static TestTomcat site;
    private static ConnectorPair both;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        site = new TestTomcat();
        Tomcat tomcat = site.tomcat;
        tomcat.addUser("ann", "pw");
        tomcat.addRole("ann", "reader");
        tomcat.addUser("bob", "pw");
        for (String method : List.of("BASIC", "FORM")) {
            Path app = Files.createDirectory(folder.resolve(method));
            write(app, "WEB-INF/web.xml", WEB_XML.formatted(method));
            write(app, "WEB-INF/inner.txt", SECRET);
            write(app, "META-INF/inner.txt", SECRET);
            write(app, "guarded/a.txt", SECRET);
            write(app, "guarded/b c.txt", SECRET);
            write(app, "enciphered/a.txt", SECRET);
            write(app, "open.txt", "0123456789".repeat(10));
            write(app, "large.bin", "x".repeat(100_000));
            for (String page : List.of("login", "error", "missing", "index")) {
                write(app, page + ".html", "<p>" + page);
            }
            filter(tomcat.addWebapp("/" + method, app.toString()));
        }
        site.start();
        both = new ConnectorPair(site, List.of("redirectPort=8443"));
    }

    private static void write(Path app, String name, String text) throws IOException {
        Path file = app.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void filter(Context app) {
        var definition = new FilterDef();
        definition.setFilterName("marks");
        definition.setFilter(new Marks());
        app.addFilterDef(definition);
        var map = new FilterMap();
        map.setFilterName("marks");
        map.addURLPattern("/*");
        app.addFilterMap(map);
    }

    /// Marks each response, and rejects `closed` requests.
    private static final class Marks implements Filter {
        @Override
        public void doFilter(ServletRequest q, ServletResponse s, FilterChain chain)
                throws IOException, ServletException {
            var response = (HttpServletResponse) s;
            response.setHeader("X-Filter", "was here");
            if ("closed".equals(q.getParameter("filter"))) {
                response.sendError(403);
            } else {
                chain.doFilter(q, s);
            }
        }
    }

    @AfterAll
    static void stop() throws Exception {
        both.close();
        site.close();
    }

    private static String ask(String line, String... headers) {
        String customizer = headers.length == 0 ? "" : String.join("\n", headers) + "\n";
        return line + " HTTP/1.1\nHost: h\n" + customizer + "\n";
    }

    /// Returns the connector's response, after comparing it with stock's.
    private static String same(String block) throws IOException {
        String ours = named(ConnectorPair.response(both.tandem, block));
        assertEquals(named(ConnectorPair.response(both.stock, block)), ours, block);
        return ours;
    }

    /// Requests rejected before Catalina have an error page of the server.
    private static String named(String response) {
        if (response.startsWith("400 close")) {
            return "400 close";
        }
        return response.replaceAll("JSESSIONID=[0-9A-F]+", "JSESSIONID=*")
                .replaceAll("jsessionid=[0-9A-F]+", "jsessionid=*");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/guarded/a.txt",
                "/guarded/b%20c.txt",
                "//guarded/a.txt",
                "/guarded//a.txt",
                "/./guarded/a.txt",
                "/x/../guarded/a.txt",
                "/x/%2e%2e/guarded/a.txt",
                "/x/%2E./guarded/a.txt",
                "/;x=1/guarded/a.txt",
                "/guarded;x=1/a.txt",
                "/guarded/;/a.txt",
                "/guarded/a.txt;x=1",
                "/x/..;/guarded/a.txt",
                "/%67uarded/a.txt",
                "/%67%75%61rded/%61.txt",
                "/guarded%2fa.txt",
                "/guarded%5ca.txt",
                "/guarded/a.txt%00",
                "/guarded/a.txt%20",
                "/guarded/a.txt.",
                "/guarded/a.txt/",
                "/guarded/a.txt%2e",
                "/GUARDED/a.txt",
                "/Guarded/A.TXT",
                "/guarded./a.txt",
                "/guarded",
                "/guarded/",
                "/guarded/none.txt",
                "/guarded/%c0%ae/a.txt",
                "/WEB-INF/inner.txt",
                "/web-inf/inner.txt",
                "/WEB-INF/",
                "/WEB-INF",
                "/WEB-INF./inner.txt",
                "/%57EB-INF/inner.txt",
                "/WEB-INF;x/inner.txt",
                "/x/../WEB-INF/inner.txt",
                "//WEB-INF/web.xml",
                "/META-INF/inner.txt",
                "/META-INF/",
                "/meta-inf/inner.txt",
                "/guarded/../WEB-INF/web.xml",
                "/../WEB-INF/web.xml",
                "/..%2fWEB-INF/web.xml",
                "/enciphered/a.txt",
                "/open.txt?filter=closed",
                "/none.txt",
            })
    void protectedFileHasNoOtherPath(String path) throws Exception {
        for (String app : List.of("/BASIC", "/FORM")) {
            for (String method : List.of("GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "OPTIONS ")) {
                String response = same(ask(method + app + path, "Content-Length: 0"));
                assertFalse(response.contains(SECRET), response);
            }
            String part = same(ask("GET " + app + path, "Range: bytes=0-3"));
            assertFalse(part.contains(SECRET.substring(0, 4)), part);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Accept: */*",
                "Range: bytes=2-5",
                "Range: bytes=-3",
                "Range: bytes=98-",
                "Range: bytes=100-",
                "Range: bytes=0-1,4-5",
                "Range: bytes=5-2",
                "Range: lines=1-2",
                "Range: bytes=0-1\nIf-Range: \"other\"",
                "If-None-Match: *",
                "If-None-Match: \"other\"",
                "If-Match: \"other\"",
                "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT",
                "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
                "If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
                "Accept-Encoding: gzip",
            })
    void fileResponsesAreTheSameAsStocks(String field) throws Exception {
        for (String path : List.of("/BASIC/open.txt", "/BASIC/large.bin", "/FORM/open.txt")) {
            for (String method : List.of("GET ", "HEAD ", "OPTIONS ", "POST ", "TRACE ")) {
                String response = same(ask(method + path, field));
                assertTrue(
                        response.contains("x-filter: was here") || method.equals("TRACE "),
                        response);
            }
        }
        assertTrue(same(ask("GET /BASIC/guarded/a.txt", field, ANN)).contains("was here"));
    }

    @Test
    void authorizedUserReadsProtectedFile() throws Exception {
        String open = same(ask("GET /BASIC/guarded/a.txt", ANN));
        assertTrue(open.startsWith("200") && open.contains(SECRET), open);
        String bob = Base64.getEncoder().encodeToString("bob:pw".getBytes(StandardCharsets.UTF_8));
        String closed = same(ask("GET /BASIC/guarded/a.txt", "Authorization: Basic " + bob));
        assertTrue(closed.startsWith("403"), closed);
        String moved = same(ask("GET /BASIC/enciphered/a.txt"));
        assertTrue(moved.contains("location: https://h:8443/BASIC/enciphered/a.txt"), moved);
    }

    @Test
    void protectedFileFollowsFormLogin() throws Exception {
        for (var connector : List.of(both.tandem, both.stock)) {
            try (RawClient client = ConnectorPair.client(connector)) {
                var form = client.send(ask("GET /FORM/guarded/a.txt")).response();
                assertEquals("<p>login", form.text());
                String line = String.valueOf(form.field("Set-Cookie"));
                String cookie = "Cookie: " + line.substring(0, line.indexOf(';'));
                String sent = "j_username=ann&j_password=pw";
                var login =
                        client.send(
                                        ask(
                                                        "POST /FORM/guarded/j_security_check",
                                                        cookie,
                                                        "Content-Type:"
                                                            + " application/x-www-form-urlencoded",
                                                        "Content-Length: " + sent.length())
                                                + sent)
                                .response();
                assertEquals(303, login.status());
                String renamed = String.valueOf(login.field("Set-Cookie"));
                String known = "Cookie: " + renamed.substring(0, renamed.indexOf(';'));
                String file = ask("GET /FORM/guarded/a.txt", known);
                assertEquals(SECRET, client.send(file).response().text());
                String old = ask("GET /FORM/guarded/a.txt", cookie);
                assertEquals("<p>login", client.send(old).response().text());
            }
        }
    }

    /// Nothing remains of an error page, or of the file requested before.
    @Test
    void connectionContinuesAfterErrorPage() throws Exception {
        try (RawClient client = ConnectorPair.client(both.tandem)) {
            for (int i = 0; i < 3; i++) {
                var missing = client.send(ask("GET /BASIC/none", "Range: bytes=0-1")).response();
                assertEquals(404, missing.status());
                assertEquals("<p>missing", missing.text());
                client.send(ask("HEAD /BASIC/none"));
                assertEquals(404, client.responseToHead().status());
                var part = client.send(ask("GET /BASIC/large.bin", "Range: bytes=7-9")).response();
                assertEquals("xxx", part.text());
                client.send(ask("HEAD /BASIC/large.bin"));
                assertEquals("100000", client.responseToHead().field("Content-Length"));
            }
        }
    }
}
