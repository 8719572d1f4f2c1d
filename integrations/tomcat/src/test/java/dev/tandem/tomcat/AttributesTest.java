package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The attributes of the stock connectors, set as in `server.xml`: the Tandem connector accepts
/// each, and behaves as stock where the table of `docs/tomcat.md` says "same".
@Timeout(60)
class AttributesTest {
    private static final String GET = "GET /describe HTTP/1.1\nHost: h\n\n";
    private static final String FORM =
            "POST /describe HTTP/1.1\nHost: h\nContent-Type: application/x-www-form-urlencoded\n"
                    + "Content-Length: 11\n\na=1&b=2&c=3";
    private static TestTomcat site;

    @BeforeAll
    static void start() throws Exception {
        site = new TestTomcat();
        site.with("/describe", servlet(AttributesTest::describe));
        site.with("/path/*", servlet((q, s) -> s.getWriter().print(q.getPathInfo())));
        site.with("/ignore", servlet((_, s) -> s.getWriter().print("ignored")));
        site.with("/go", servlet((_, s) -> s.sendRedirect("/describe")));
        site.with("/server", servlet((_, s) -> s.setHeader("Server", "of the application")));
        site.with("/async", servlet(AttributesTest::async));
        site.with("/body", servlet(AttributesTest::body));
        site.with("/long", servlet((q, s) -> page(q, s)));
        site.start();
    }

    @AfterAll
    static void stop() throws Exception {
        site.close();
    }

    /// Prints what a servlet sees of a request.
    private static void describe(HttpServletRequest q, HttpServletResponse s) throws IOException {
        s.setCharacterEncoding("UTF-8");
        var out = s.getWriter();
        out.println(q.getScheme() + " " + q.isSecure() + " " + q.getServerName());
        boolean isOwnPort = q.getServerPort() == q.getLocalPort();
        out.println(isOwnPort ? "own port" : q.getServerPort());
        out.println(q.getRemoteHost());
        for (String name : Collections.list(q.getParameterNames())) {
            out.println(name + "=" + q.getParameter(name));
        }
        Cookie[] cookies = q.getCookies();
        out.println(cookies == null ? 0 : cookies.length);
    }

    private static void async(HttpServletRequest q, HttpServletResponse s) throws IOException {
        var context = q.startAsync();
        s.getWriter().print(context.getTimeout());
        context.complete();
    }

    /// Prints a body with its trailers.
    private static void body(HttpServletRequest q, HttpServletResponse s) throws IOException {
        byte[] bytes = q.getInputStream().readAllBytes();
        String trailers = q.getTrailerFields().toString().toLowerCase(Locale.ROOT);
        s.getWriter().print(new String(bytes, StandardCharsets.UTF_8) + trailers);
    }

    private static void page(HttpServletRequest q, HttpServletResponse s) throws IOException {
        s.setContentType(q.getParameter("type"));
        s.getWriter().print("x".repeat(Integer.parseInt(q.getParameter("length"))));
    }

    // ---- Every attribute is accepted.

    /// As listed in Tomcat's documentation: config/http.html, of 11 and of 10.1.
    static final List<String> KNOWN =
            List.of(
                    ("allowBackslash=true allowTrace=true asyncTimeout=1 discardFacades=true"
                         + " enableLookups=true encodedReverseSolidusHandling=decode"
                         + " encodedSolidusHandling=decode enforceEncodingInGetWriter=true"
                         + " maxCookieCount=1 maxParameterCount=1 maxPartCount=1"
                         + " maxPartHeaderSize=1 maxPostSize=1 maxSavePostSize=1"
                         + " parseBodyMethods=PUT port=0 proxyName=a proxyPort=1 redirectPort=1"
                         + " rejectSuspiciousURIs=true scheme=https secure=true strictSni=true"
                         + " URIEncoding=UTF-8 useBodyEncodingForURI=true useIPVHosts=true"
                         + " xpoweredBy=true acceptCount=1 acceptorThreadPriority=5"
                         + " address=127.0.0.1 allowedTrailerHeaders=a bindOnInit=false"
                         + " compressibleMimeType=text/css compression=on compressionMinSize=1"
                         + " connectionLinger=1 connectionTimeout=1 connectionUploadTimeout=1"
                         + " continueResponseTiming=onRead defaultSSLHostConfigName=a"
                         + " disableUploadTimeout=false executorTerminationTimeoutMillis=1"
                         + " keepAliveTimeout=1 maxConnections=1 maxExtensionSize=1"
                         + " maxHeaderCount=1 maxHttpHeaderSize=1024 maxHttpRequestHeaderSize=1024"
                         + " maxHttpResponseHeaderSize=1024 maxKeepAliveRequests=1 maxQueueSize=1"
                         + " maxSwallowSize=1 maxThreads=1 maxTrailerSize=1 minSpareThreads=1"
                         + " noCompressionEncodings=br noCompressionUserAgents=a portOffset=1"
                         + " processorCache=1 relaxedPathChars=| relaxedQueryChars=|"
                         + " restrictedUserAgents=a server=a serverRemoveAppProvidedValues=true"
                         + " SSLEnabled=true tcpNoDelay=false threadPriority=5 threadsMaxIdleTime=1"
                         + " throwOnFailure=true useAsyncIO=false useKeepAliveResponseHeader=false"
                         + " useVirtualThreads=true pollerThreadPriority=5 selectorTimeout=1"
                         + " useSendfile=false useInheritedChannel=false unixDomainSocketPath=/none"
                         + " unixDomainSocketPathPermissions=rw-rw-rw- clientCertProvider=a"
                         + " sniParseLimit=1024 sslImplementationName=a protocol=HTTP/1.1"
                         + " socket.rxBufSize=1 socket.txBufSize=1 socket.tcpNoDelay=true"
                         + " socket.soKeepAlive=true socket.ooBInline=true"
                         + " socket.soReuseAddress=true socket.soLingerOn=true"
                         + " socket.soLingerTime=1 socket.soTimeout=1"
                         + " socket.performanceConnectionTime=1 socket.performanceLatency=1"
                         + " socket.performanceBandwidth=1 socket.unlockTimeout=1"
                         + " socket.directBuffer=true socket.directSslBuffer=true"
                         + " socket.appReadBufSize=1 socket.appWriteBufSize=1 socket.bufferPool=1"
                         + " socket.bufferPoolSize=1 socket.processorCache=1 socket.eventCache=1"
                         + " rejectIllegalHeader=false allowHostHeaderMismatch=true")
                            .split(" "));

    @ParameterizedTest
    @FieldSource("KNOWN")
    void attributeOfStockIsAccepted(String attribute) throws Exception {
        var ours = new Connector(TandemProtocol.class.getName());
        var stock = new Connector(ConnectorPair.STOCK);
        if (ConnectorPair.set(stock, attribute)) {
            assertTrue(ConnectorPair.set(ours, attribute), "Tomcat warns that it is not known");
        }
        assertTrue(isInTable(attribute.substring(0, attribute.indexOf('='))));
    }

    private static boolean isInTable(String name) throws IOException {
        String text = Files.readString(Path.of("../../docs/tomcat.md"));
        String whole = name.startsWith("socket.") ? "socket.*" : name;
        return text.lines().anyMatch(l -> l.startsWith("|") && l.contains("`" + whole + "`"));
    }

    // ---- Every attribute has the same effect as stock's.

    static Stream<Arguments> sameResponses() {
        return Stream.of(
                of("maxPostSize=10", FORM),
                of("maxPostSize=11", FORM),
                of("maxParameterCount=2", FORM),
                of("maxParameterCount=3", FORM),
                of("parseBodyMethods=PUT", FORM),
                of("parseBodyMethods=PUT", FORM.replace("POST", "PUT")),
                of("maxCookieCount=1", GET.replace("\n\n", "\nCookie: a=1; b=2\n\n")),
                of("URIEncoding=ISO-8859-1", GET.replace("/describe", "/describe?p=%E4")),
                of("URIEncoding=UTF-8", GET.replace("/describe", "/describe?p=%C3%A4")),
                of("useBodyEncodingForURI=true", latin("?p=%E4")),
                of("useBodyEncodingForURI=false", latin("?p=%E4")),
                of("proxyName=shop.example proxyPort=81", GET),
                of("proxyName=shop.example proxyPort=81", GET.replace("/describe", "/go")),
                of("scheme=https secure=true", GET),
                of("scheme=https", GET),
                of("xpoweredBy=true", GET),
                of("enableLookups=true", GET),
                of("useIPVHosts=true", GET),
                of("allowTrace=true", GET.replace("GET", "TRACE")),
                of("allowTrace=false", GET.replace("GET", "TRACE")),
                of("asyncTimeout=1234", GET.replace("/describe", "/async")),
                of("server=mine", GET),
                of("server=mine", GET.replace("/describe", "/server")),
                of("serverRemoveAppProvidedValues=true", GET.replace("/describe", "/server")),
                of("serverRemoveAppProvidedValues=false", GET.replace("/describe", "/server")));
    }

    static Stream<Arguments> sameResponsesOfTheTransport() {
        String keep = GET.replace("\n\n", "\nConnection: keep-alive\n\n");
        String old = keep.replace("1.1", "1.0");
        return Stream.of(
                of("maxSwallowSize=10", posted("/ignore", 100)),
                of("maxSwallowSize=100", posted("/ignore", 100)),
                of("maxSwallowSize=-1", posted("/ignore", 100)),
                of("maxKeepAliveRequests=1", GET),
                of("maxKeepAliveRequests=0", GET),
                of("maxKeepAliveRequests=2", GET),
                of("maxKeepAliveRequests=1", old),
                of("maxKeepAliveRequests=2", old),
                of("keepAliveTimeout=3000", keep),
                of("relaxedPathChars=[]|", GET.replace("/describe", "/path/[a]|b")),
                of(
                        "relaxedQueryChars=[]|{}^\\`",
                        GET.replace("/describe", "/describe?[a]={b}|^\\`")),
                of("encodedSolidusHandling=decode", GET.replace("/describe", "/path/a%2Fb")),
                of("encodedSolidusHandling=passthrough", GET.replace("/describe", "/path/a%2Fb")),
                of("encodedSolidusHandling=reject", GET.replace("/describe", "/path/a%2Fb")),
                of("encodedReverseSolidusHandling=decode", GET.replace("/describe", "/path/a%5Cb")),
                of("rejectSuspiciousURIs=true", GET.replace("/describe", "/path/a;/b")),
                of("rejectSuspiciousURIs=false", GET.replace("/describe", "/path/a;/b")),
                of("allowedTrailerHeaders=x-a", CHUNKED),
                of("", CHUNKED),
                of("continueResponseTiming=immediately", expecting("/ignore")),
                of("continueResponseTiming=onRead", expecting("/ignore")));
    }

    static Stream<Arguments> sameResponsesCompressed() {
        String page = "/long?length=3000&type=text/html";
        return Stream.of(
                of("compression=on", zipped(page)),
                of("compression=off", zipped(page)),
                of("compression=force", zipped("/long?length=10&type=image/png")),
                of("compression=2990", zipped(page)),
                of("compression=on", zipped("/long?length=10&type=text/html")),
                of("compression=on compressionMinSize=4000", zipped(page)),
                of("compression=on compressibleMimeType=text/css", zipped(page)),
                of("compression=on noCompressionUserAgents=Old.*", zipped(page)),
                of("compression=on", zipped(page).replace("gzip", "gzip;q=0")),
                of("compression=on", zipped(page).replace("gzip", "br")),
                of("compression=on", zipped(page).replace("GET", "HEAD")));
    }

    private static final String CHUNKED =
            """
            POST /body HTTP/1.1
            Host: h
            Transfer-Encoding: chunked

            3
            abc
            0
            X-A: 1
            X-B: 2

            """;

    private static Arguments of(String attributes, String block) {
        return Arguments.of(attributes, block);
    }

    private static String latin(String query) {
        return GET.replace("/describe", "/describe" + query)
                .replace("\n\n", "\nContent-Type: text/plain;charset=ISO-8859-1\n\n");
    }

    private static String posted(String path, int length) {
        return "POST %s HTTP/1.1\nHost: h\nContent-Length: %d\n\n%s"
                .formatted(path, length, "x".repeat(length));
    }

    private static String expecting(String path) {
        return "POST %s HTTP/1.1\nHost: h\nContent-Length: 1\nExpect: 100-continue\n\n"
                .formatted(path);
    }

    private static String zipped(String target) {
        return "GET %s HTTP/1.1\nHost: h\nAccept-Encoding: gzip\nUser-Agent: Old one\n\n"
                .formatted(target);
    }

    @ParameterizedTest
    @MethodSource({"sameResponses", "sameResponsesOfTheTransport", "sameResponsesCompressed"})
    void responseIsTheSameAsStocks(String attributes, String block) throws Exception {
        try (var both = new ConnectorPair(site, split(attributes))) {
            assertEquals(
                    ConnectorPair.response(both.stock, block),
                    ConnectorPair.response(both.tandem, block));
        }
    }

    private static List<String> split(String attributes) {
        var all = new ArrayList<>(List.of(attributes.split(" ")));
        all.remove("");
        return all;
    }

    @Test
    void portIsBoundWithItsOffset() throws Exception {
        var connector = new Connector(TandemProtocol.class.getName());
        connector.setPort(20_000);
        connector.setProperty("portOffset", "7");
        assertEquals(20_007, connector.getPortWithOffset());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/describe?[a]=1", "/path/[a]"})
    void charactersThatAreNotRelaxedAreRejectedByBoth(String target) throws Exception {
        try (var both = new ConnectorPair(site, List.of())) {
            for (Connector each : List.of(both.tandem, both.stock)) {
                String response = ConnectorPair.response(each, GET.replace("/describe", target));
                assertTrue(response.startsWith("400 close"), response);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"unixDomainSocketPath=/none", "useInheritedChannel=true"})
    void connectorWithUnsupportedSocketDoesNotStart(String attribute) throws Exception {
        var connector = new Connector(TandemProtocol.class.getName());
        connector.setPort(0);
        connector.setThrowOnFailure(true);
        assertTrue(ConnectorPair.set(connector, attribute));
        var failure = assertThrows(LifecycleException.class, connector::init);
        String name = attribute.substring(0, attribute.indexOf('='));
        assertTrue(String.valueOf(failure.getCause()).contains(name), failure::toString);
    }
}
