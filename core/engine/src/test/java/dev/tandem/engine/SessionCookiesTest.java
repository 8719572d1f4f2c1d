package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionCookiesTest {
    private final SessionCookies cookies = new SessionCookies(List.of("SID", "OLD"));

    /// The key of a request with this `Cookie` header.
    private long requested(String header) {
        return cookies.keyOf(new ToyHead("GET", "/", "Cookie=" + header));
    }

    /// The key of a response with these `Set-Cookie` headers.
    private long set(String... headers) {
        var fields = new ResponseHeaders();
        for (String header : headers) {
            fields.add("Set-Cookie", header);
        }
        return cookies.keyOf(fields);
    }

    // ---- Requests.

    @Test
    void requestWithoutCookiesHasNoSession() {
        assertEquals(SessionCookies.NONE, cookies.keyOf(new ToyHead("GET", "/", "")));
    }

    @Test
    void serverWithoutSessionCookiesHasNoSessions() {
        var none = new SessionCookies(List.of());
        assertEquals(SessionCookies.NONE, none.keyOf(new ToyHead("GET", "/", "Cookie=SID=abc")));
        var fields = new ResponseHeaders();
        fields.add("Set-Cookie", "SID=abc");
        assertEquals(SessionCookies.NONE, none.keyOf(fields));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a=b", "SIDE=abc", "sid=abc", "SID", "SID=", "SID=; OLD="})
    void cookiesOfOtherNamesOrWithoutAValueAreNoSession(String header) {
        assertEquals(SessionCookies.NONE, requested(header));
    }

    @Test
    void sameValueIsTheSameSession() {
        assertNotEquals(SessionCookies.NONE, requested("SID=abc"));
        assertEquals(requested("SID=abc"), requested("a=b; SID=abc; c=d"));
    }

    @Test
    void everyValueIsASessionOfItsOwn() {
        var keys = new HashSet<Long>();
        keys.add(SessionCookies.NONE);
        for (int i = 0; i < 1000; i++) {
            keys.add(requested("SID=" + i));
        }
        assertEquals(1001, keys.size());
    }

    @Test
    void firstNameOfTheServerCountsWhateverTheClientSendsFirst() {
        assertEquals(requested("SID=new"), requested("OLD=old; SID=new"));
        assertNotEquals(requested("OLD=old"), requested("OLD=old; SID=new"));
    }

    @Test
    void nextNameCountsIfTheFirstIsMissingOrEmpty() {
        assertNotEquals(SessionCookies.NONE, requested("OLD=old"));
        assertEquals(requested("OLD=old"), requested("SID=; OLD=old"));
    }

    @Test
    void namesAreCopied() {
        var names = new ArrayList<>(List.of("SID"));
        var copied = new SessionCookies(names);
        names.clear();
        var head = new ToyHead("GET", "/", "Cookie=SID=abc");
        assertNotEquals(SessionCookies.NONE, copied.keyOf(head));
    }

    // ---- Responses.

    @Test
    void responseWithoutCookiesBeginsNoSession() {
        assertEquals(SessionCookies.NONE, set());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SID=abc",
                "SID=abc;",
                "SID= abc ; Path=/",
                "SID=abc; Path=/; HttpOnly; SameSite=Lax",
                "SID=abc; Max-Age=1",
                "SID=abc; Max-Age=3600; Secure",
                "SID=abc; Max-Age=05",
                "SID=abc; X-Max-Age=0",
                "OLD=abc; Path=/"
            })
    void requestWithTheSetValueBelongsToItsSession(String header) {
        assertNotEquals(SessionCookies.NONE, set(header));
        assertEquals(requested("SID=abc"), set(header));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SID", "SID=", "SID=; Path=/", "other=abc", "=abc", "sid=abc"})
    void otherCookiesBeginNoSession(String header) {
        assertEquals(SessionCookies.NONE, set(header));
    }

    /// The value that replaces a deleted cookie is the same for all clients.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SID=deleted; Max-Age=0",
                "SID=deleted; max-age=0; Path=/",
                "SID=deleted; Path=/; MAX-AGE = 00 ; Secure",
                "SID=deleted;Max-Age=-1",
                "SID=deleted; Max-Age=-3600"
            })
    void deletedCookieBeginsNoSession(String header) {
        assertEquals(SessionCookies.NONE, set(header));
    }

    @Test
    void valueMayLookLikeAnAttribute() {
        assertEquals(requested("SID=max-age=0"), set("SID=max-age=0"));
        assertNotEquals(SessionCookies.NONE, set("SID=max-age=0; Path=/"));
    }

    @Test
    void laterCookieCountsIfTheFirstIsOfNoSession() {
        assertEquals(
                requested("SID=abc"), set("theme=dark", "SID=x; Max-Age=0", "SID=abc; Path=/"));
    }
}
