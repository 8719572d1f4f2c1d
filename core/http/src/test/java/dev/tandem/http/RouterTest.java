package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouterTest {
    private static final Handler ANY = _ -> {};

    private static final Router SITE =
            Router.builder()
                    .add("GET", "/", ANY)
                    .add("GET", "/users/{id}", ANY)
                    .add("GET", "/users/me", ANY)
                    .add("POST", "/users/new", ANY)
                    .add("DELETE", "/users/{user}", ANY)
                    .add("GET", "/users/{id}/posts/{post}", ANY)
                    .add("GET", "/users/me/friends", ANY)
                    .add("GET", "/files/{path...}", ANY)
                    .add("GET", "/files/{name}/info", ANY)
                    .add("GET", "/files/a/{x}/c", ANY)
                    .add("GET", "/list/", ANY)
                    .add("*", "/echo", ANY)
                    .add("PUT", "/echo", ANY)
                    .add("HEAD", "/head", ANY)
                    .add("GET", "/head", ANY)
                    .add("GET", "/gr\u00fc\u00df dich", ANY)
                    .build();

    @ParameterizedTest
    @CsvSource({
        "GET, /, GET /",
        "GET, /users/7, GET /users/{id}",
        "GET, /users/me, GET /users/me",
        "GET, /users/men, GET /users/{id}",
        "GET, /users/7/posts/9, GET /users/{id}/posts/{post}",
        "GET, /users/me/posts/9, GET /users/{id}/posts/{post}",
        "GET, /users/me/friends, GET /users/me/friends",
        "GET, /users/new, GET /users/{id}",
        "POST, /users/new, POST /users/new",
        "DELETE, /users/new, DELETE /users/{user}",
        "GET, /files/, GET /files/{path...}",
        "GET, /files/a, GET /files/{path...}",
        "GET, /files/a/, GET /files/{path...}",
        "GET, /files/a/info, GET /files/{name}/info",
        "GET, /files/b/info/c, GET /files/{path...}",
        "GET, /files/a/b/c, GET /files/a/{x}/c",
        "GET, /files/a/b/d, GET /files/{path...}",
        "GET, /files/a//c, GET /files/{path...}",
        "GET, /list/, GET /list/",
        "BREW, /echo, * /echo",
        "HEAD, /echo, * /echo",
        "PUT, /echo, PUT /echo",
        "HEAD, /users/7, GET /users/{id}",
        "HEAD, /head, HEAD /head",
        "GET, /grüß dich, GET /grüß dich"
    })
    void mostSpecificRouteMatches(String method, String path, String expected) {
        var route = found(SITE, method, path).route();
        assertEquals(expected, route.method() + " " + route.pattern());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/users", "/users/", "/list", "/list//", "/x", "//", "/users/7/posts/"})
    void otherPathsAreNotFound(String path) {
        assertInstanceOf(Router.NotFound.class, SITE.match("GET", path));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | / | GET, HEAD, OPTIONS",
                "POST | /users/7 | DELETE, GET, HEAD, OPTIONS",
                "PATCH | /users/new | DELETE, GET, HEAD, OPTIONS, POST",
                "TRACE | / | GET, HEAD, OPTIONS",
                "CONNECT | / | GET, HEAD, OPTIONS",
                "TRACE | /echo | DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
                "CONNECT | /echo | DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
                "OPTIONS | /files/a/b | GET, HEAD, OPTIONS"
            })
    void wrongMethodGetsAllowedMethods(String method, String path, String allow) {
        var match = assertInstanceOf(Router.MethodNotAllowed.class, SITE.match(method, path));
        assertEquals(allow, match.allow());
    }

    /// RFC 9110, section 9.1: methods are case-sensitive.
    @ParameterizedTest
    @CsvSource({"BREW, /", "get, /", "Post, /users/new", "BREW, /files/a"})
    void unknownMethodIsNotImplemented(String method, String path) {
        assertInstanceOf(Router.NotImplemented.class, SITE.match(method, path));
    }

    @Test
    void methodOfAnotherRouteIsNotAllowed() {
        var router = Router.builder().add("BREW", "/pot", ANY).add("TRACE", "/echo", ANY).build();
        assertInstanceOf(Router.Found.class, router.match("BREW", "/pot"));
        assertInstanceOf(Router.MethodNotAllowed.class, router.match("BREW", "/echo"));
        assertInstanceOf(Router.Found.class, router.match("TRACE", "/echo"));
        assertInstanceOf(Router.NotFound.class, router.match("GULP", "/"));
    }

    private static final Router MOUNTS =
            Router.builder()
                    .add("GET", "/{path...}", ANY)
                    .add("GET", "/app/{path...}", ANY)
                    .add("GET", "/{tenant}/wiki/{page...}", ANY)
                    .add("GET", "/docs/{path...}", ANY)
                    .add("GET", "/docs", ANY)
                    .add("GET", "/users/{id}", ANY)
                    .add("GET", "/users/me/{path...}", ANY)
                    .add("POST", "/app", ANY)
                    .build();

    @ParameterizedTest
    @CsvSource({"GET, /app", "HEAD, /app", "GET, /acme/wiki"})
    void wildcardRootWithoutSlashIsReported(String method, String path) {
        assertInstanceOf(Router.MissingSlash.class, MOUNTS.match(method, path));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /app/, GET /app/{path...}",
        "GET, /app/x, GET /app/{path...}",
        "GET, /ap, GET /{path...}",
        "GET, /docs, GET /docs",
        "GET, /users/me, GET /users/{id}",
        "GET, /, GET /{path...}",
        "POST, /app, POST /app"
    })
    void ownRouteTakesPrecedenceOverMissingSlash(String method, String path, String expected) {
        var route = found(MOUNTS, method, path).route();
        assertEquals(expected, route.method() + " " + route.pattern());
    }

    @Test
    void wildcardRootOfOtherMethodIsNotReported() {
        assertInstanceOf(Router.MethodNotAllowed.class, MOUNTS.match("PUT", "/app"));
        assertInstanceOf(Router.MissingSlash.class, SITE.match("GET", "/files"));
        assertInstanceOf(Router.NotFound.class, SITE.match("DELETE", "/files"));
    }

    @Test
    void routeForAnyMethodAllowsCommonMethods() {
        assertEquals(
                Set.of("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"),
                SITE.allowedMethods("/echo"));
    }

    @Test
    void pathWithoutRouteAllowsNoMethod() {
        assertEquals(Set.of(), SITE.allowedMethods("/x"));
    }

    @Test
    void parameterValuesAreInOrder() {
        var found = found(SITE, "GET", "/users/7/posts/9");
        assertArrayEquals(new String[] {"7", "9"}, found.values());
        assertEquals(List.of("id", "post"), found.route().parameters());
    }

    @Test
    void parameterValueIsFoundByName() {
        var found = found(SITE, "GET", "/users/7/posts/9");
        assertEquals("9", found.pathParam("post"));
        assertThrows(IllegalArgumentException.class, () -> found.pathParam("user"));
    }

    @ParameterizedTest
    @CsvSource({"/files/, ''", "/files/a, a", "/files/a/b/d, a/b/d", "/files/a/, a/"})
    void wildcardKeepsSlashes(String path, String value) {
        assertEquals(value, found(SITE, "GET", path).pathParam("path"));
    }

    @Test
    void valuesOfAbandonedBranchAreDropped() {
        var router =
                Router.builder()
                        .add("GET", "/{a}/{b}/x", ANY)
                        .add("GET", "/{a}/{rest...}", ANY)
                        .build();
        assertArrayEquals(new String[] {"1", "2/y"}, found(router, "GET", "/1/2/y").values());
    }

    @Test
    void wildcardMatchesCompletePath() {
        var router = Router.builder().add("GET", "/{path...}", ANY).build();
        assertEquals("", found(router, "GET", "/").pathParam("path"));
        assertEquals("a/b", found(router, "GET", "/a/b").pathParam("path"));
    }

    @Test
    void emptyRouterFindsNoRoute() {
        assertInstanceOf(Router.NotFound.class, Router.builder().build().match("GET", "/"));
    }

    @Test
    void matchHasHandler() {
        Handler handler = _ -> {};
        var router = Router.builder().add("GET", "/a", handler).build();
        assertSame(handler, found(router, "GET", "/a").route().handler());
    }

    @ParameterizedTest
    @CsvSource({"/a, /a", "/{x}, /{y}", "/{x...}, /{y...}", "/a/{x}/b/{y}, /a/{y}/b/{x}"})
    void routesWithSamePathsThrow(String one, String other) {
        var builder = Router.builder().add("GET", one, ANY).add("GET", other, ANY);
        var error = assertThrows(IllegalArgumentException.class, builder::build);
        assertEquals(
                "routes GET " + one + " and GET " + other + " have the same paths",
                error.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"/a, /a/", "/{x}, /{x...}", "/a/{x}, /{x}/a", "/{x}, /a"})
    void routesWithDifferentPathsAreAccepted(String one, String other) {
        var router = Router.builder().add("GET", one, ANY).add("GET", other, ANY).build();
        assertInstanceOf(Router.class, router);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a | must begin with /",
                "~~ | must begin with /",
                "/{x...}/a | has {x...} before its end",
                "/a{x} | has braces that are not around a whole segment",
                "/{x}a | has braces that are not around a whole segment",
                "/{ | has braces that are not around a whole segment",
                "/} | has braces that are not around a whole segment",
                "/{} | has a parameter whose name is not letters, digits, _ and -",
                "/{...} | has a parameter whose name is not letters, digits, _ and -",
                "/{a b} | has a parameter whose name is not letters, digits, _ and -",
                "/{a}{b} | has a parameter whose name is not letters, digits, _ and -",
                "/{x}/{x} | has the parameter x twice",
                "/{x}/{x...} | has the parameter x twice",
                "/a//b | has an empty segment",
                "//a | has an empty segment",
                "/a/../b | has a dot segment",
                "/. | has a dot segment",
                "/a?b | has one of % ? # \\ or a control character; patterns are decoded paths",
                "/a%20b | has one of % ? # \\ or a control character; patterns are decoded paths"
            })
    void invalidPatternsThrow(String pattern, String what) {
        var builder = Router.builder();
        var error =
                assertThrows(
                        IllegalArgumentException.class, () -> builder.add("GET", pattern, ANY));
        assertEquals("pattern \"" + pattern + "\" " + what, error.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "G T", "GET\r\n", "/"})
    void invalidMethodsThrow(String method) {
        var builder = Router.builder();
        var error =
                assertThrows(IllegalArgumentException.class, () -> builder.add(method, "/", ANY));
        assertTrue(String.valueOf(error.getMessage()).startsWith("not a method"));
    }

    private static Router.Found found(Router router, String method, String path) {
        return assertInstanceOf(Router.Found.class, router.match(method, path));
    }
}
