package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/// Routes are found by event loops, so no path may take long.
class RouteTableTest {
    /// Millions of times as long as a look-up takes, and much less than what it took.
    private static final Duration LONG = Duration.ofSeconds(20);

    private static final String NONE = "none";

    private static RouteTable table(PathPatternParser parser, String... patterns) {
        var options = new RequestMappingInfo.BuilderConfiguration();
        options.setPatternParser(parser);
        return RouteTable.of(
                Arrays.stream(patterns)
                        .map(
                                pattern ->
                                        RequestMappingInfo.paths(pattern)
                                                .methods(RequestMethod.GET)
                                                .options(options)
                                                .build())
                        .flatMap(info -> RouteTable.entries(info, parser).stream())
                        .toList());
    }

    private static RouteTable table(String... patterns) {
        return table(new PathPatternParser(), patterns);
    }

    private static String find(RouteTable table, String path) {
        RouteTable.Entry found = table.find("GET", PathContainer.parsePath(path));
        return found == null ? NONE : found.pattern().getPatternString();
    }

    private static String findSoon(RouteTable table, String path) {
        return assertTimeoutPreemptively(LONG, () -> find(table, path));
    }

    @Test
    void bestPatternIsFound() {
        RouteTable table = table("/items/{id}", "/items/new", "/{name}-{version}.zip", "/**");
        assertEquals("/items/new", find(table, "/items/new"));
        assertEquals("/items/{id}", find(table, "/items/7"));
        assertEquals("/{name}-{version}.zip", find(table, "/tandem-1.zip"));
        assertEquals("/**", find(table, "/tandem-1.tar"));
        assertEquals("/**", find(table, "/items/7/more"));
    }

    /// As Spring does, which looks at them after the pattern is chosen.
    @Test
    void parametersOfThePathAreIgnored() {
        RouteTable table = table("/items/{id}", "/items/new", "/{page}", "/about");
        assertEquals("/items/new", find(table, "/items/new;x=1"));
        assertEquals("/items/new", find(table, "/items;jsessionid=1/new"));
        assertEquals("/items/{id}", find(table, "/items;x/7;y=2"));
        assertEquals("/about", find(table, "/about;jsessionid=1"));
    }

    @Test
    void encodedCharactersAreDecodedOnce() {
        RouteTable table = table("/items/new", "/items/{id}", "/a/b");
        assertEquals("/items/new", find(table, "/items/n%65w"));
        assertEquals("/items/{id}", find(table, "/items/n%2565w"));
        assertEquals("/items/{id}", find(table, "/it%65ms/7"));
        assertEquals(NONE, find(table, "/a%2Fb"));
    }

    @Test
    void patternsThatIgnoreCaseAreFound() {
        var parser = new PathPatternParser();
        parser.setCaseSensitive(false);
        RouteTable table = table(parser, "/items/new", "/items/{id}");
        assertEquals("/items/new", find(table, "/Items/NEW"));
        assertEquals("/items/{id}", find(table, "/ITEMS/7"));
    }

    /// Each is compared with what Spring itself finds, with and without regard to case.
    @ParameterizedTest
    @CsvSource({
        "/{a}-{b}, /1-2 /1- /- /1 /1-2/ /1-2/3 /1-2-3 /é-ü /%2d-%2D /1-2;x=1 /1/2-3",
        "/v?/{a}-{b}.*, /v1/x-y.z /v/x-y.z /v12/x-y.z /v1/x-y",
        "/*.html, /a.html /.html /a.HTML /a.htm /a/b.html /a.html/",
        "/a*/{b}/c, /a/1/c /ab/1/c /A/1/c /b/1/c /ab//c /ab/1/d",
        "/{id:[0-9]+}, /1 /123 /x /1x /1/ /1/2 /%31",
        "'/{id:[a-f0-9]{2,3}}', /ab /abc /a /abcd /AB",
        "'/{id:[^.]+}/x', /a/x /a/b /a.b/x /a/b/x",
        "'/{id:\\d+}-{rest:.+}', /1-2 /1- /x-2 /12-3-4 /1",
        "/{a}.{b}/**, /x.y /x.y/z /x.y/z/w /xy/z /x.y/",
        "'/{a}_{b}/{*rest}', /x_y /x_y/z /x_y/z/w /xy/z",
        "'/(a.b)/{x}+{y}', /(a.b)/1+2 /(aXb)/1+2 /(a.b)/12",
        "'/{page:[^\\/.]*}', / /a /a.b /a/b /a%2Fb",
        "'/x/{page:(?:[a-z]\\/?)+}/{id}', /x/ab/1 /x/a%2Fb/1 /x/A/1 /x/a/b/1"
    })
    void expressionMatchesWhatItDoesInSpring(String pattern, String paths) {
        for (boolean isCaseSensitive : new boolean[] {true, false}) {
            var parser = new PathPatternParser();
            parser.setCaseSensitive(isCaseSensitive);
            PathPattern spring = parser.parse(pattern);
            RouteTable table = table(parser, pattern);
            for (String path : paths.split(" ")) {
                boolean isMatch = spring.matches(PathContainer.parsePath(path));
                assertEquals(isMatch ? pattern : NONE, find(table, path), path);
            }
        }
    }

    /// Their time grows with the third and fourth power of the length.
    @Test
    void severalVariablesInASegmentTakeNoLongTime() {
        RouteTable table =
                table("/{group}-{name}-{version}.{type}", "/*a*b*c*d", "/long/{id}", "/**");
        assertEquals("/**", findSoon(table, "/" + "-".repeat(8_000)));
        assertEquals("/**", findSoon(table, "/" + "abc".repeat(2_000)));
        assertEquals("/long/{id}", findSoon(table, "/long/" + "x".repeat(8_000)));
        assertEquals(
                "/{group}-{name}-{version}.{type}",
                findSoon(table, "/org." + "tandem.".repeat(20) + "spring-starter-1.0.0.jar"));
    }

    /// Its time is doubled by each character.
    @Test
    void expressionOfTheApplicationTakesNoLongTime() {
        RouteTable table = table("/{id:(?:a+)+}", "/{id:(?:a|b)+}/x");
        assertEquals(NONE, findSoon(table, "/" + "a".repeat(60) + "!"));
        assertEquals("/{id:(?:a+)+}", findSoon(table, "/" + "a".repeat(60)));
        assertEquals(NONE, findSoon(table, "/" + "ab".repeat(100_000) + "/x"));
    }
}
