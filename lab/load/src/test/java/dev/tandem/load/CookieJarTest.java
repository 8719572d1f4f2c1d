package dev.tandem.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CookieJarTest {
    private final CookieJar cookies = new CookieJar();

    @Test
    void cookiesAreSentInOrder() {
        cookies.set("a=1");
        cookies.set("b=\"2\"; HttpOnly; Secure");
        cookies.set("a=3; Max-Age=60");
        assertEquals("Cookie: b=\"2\"; a=3\r\n", cookies.field("/x"));
    }

    @Test
    void pathRestrictsACookie() {
        cookies.set("a=1; Path=/shop");
        assertEquals("Cookie: a=1\r\n", cookies.field("/shop"));
        assertEquals("Cookie: a=1\r\n", cookies.field("/shop/cart?x=/y"));
        assertEquals("", cookies.field("/shopping"));
        assertEquals("", cookies.field("/"));
    }

    @Test
    void cookiesAreDeleted() {
        cookies.set("a=1");
        cookies.set("a=; Max-Age=0");
        cookies.set("b=1");
        cookies.set("b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT");
        assertEquals("", cookies.field("/"));
    }

    @Test
    void invalidCookieIsIgnored() {
        cookies.set("");
        cookies.set("=1");
        cookies.set("novalue");
        cookies.set(";");
        cookies.set(";;a=1");
        assertEquals("", cookies.field("/"));
    }

    @Test
    void oldestCookiesAreRemovedAtTheLimit() {
        for (int i = 0; i < 150; i++) {
            cookies.set("c" + i + "=" + "v".repeat(100));
        }
        String field = cookies.field("/");
        assertTrue(field.length() <= 8_192, field.length() + " bytes");
        assertTrue(field.endsWith("c149=" + "v".repeat(100) + "\r\n"));
        assertTrue(!field.contains("c50="));
    }
}
