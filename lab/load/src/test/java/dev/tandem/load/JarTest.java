package dev.tandem.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class JarTest {
    private final Jar jar = new Jar();

    @Test
    void cookiesComeBackInOrder() {
        jar.set("a=1");
        jar.set("b=\"2\"; HttpOnly; Secure");
        jar.set("a=3; Max-Age=60");
        assertEquals("Cookie: b=\"2\"; a=3\r\n", jar.field("/x"));
    }

    @Test
    void aPathNarrowsACookie() {
        jar.set("a=1; Path=/shop");
        assertEquals("Cookie: a=1\r\n", jar.field("/shop"));
        assertEquals("Cookie: a=1\r\n", jar.field("/shop/cart?x=/y"));
        assertEquals("", jar.field("/shopping"));
        assertEquals("", jar.field("/"));
    }

    @Test
    void cookiesAreDeleted() {
        jar.set("a=1");
        jar.set("a=; Max-Age=0");
        jar.set("b=1");
        jar.set("b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT");
        assertEquals("", jar.field("/"));
    }

    @Test
    void whatIsNoCookieIsPassedOver() {
        jar.set("");
        jar.set("=1");
        jar.set("novalue");
        assertEquals("", jar.field("/"));
    }

    @Test
    void theOldestGoWhenThereAreTooMany() {
        for (int i = 0; i < 150; i++) {
            jar.set("c" + i + "=" + "v".repeat(100));
        }
        String field = jar.field("/");
        assertTrue(field.length() <= 8_192, field.length() + " bytes");
        assertTrue(field.endsWith("c149=" + "v".repeat(100) + "\r\n"));
        assertTrue(!field.contains("c50="));
    }
}
