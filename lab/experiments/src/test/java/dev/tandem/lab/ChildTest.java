package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ChildTest {
    /// 32,768 is where Linux begins to assign ports to clients.
    @Test
    void eachFreePortIsAnotherOneThatNoClientGets() throws Exception {
        var ports = new TreeSet<Integer>();
        for (int i = 0; i < 100; i++) {
            ports.add(Child.freePort());
        }
        assertEquals(100, ports.size());
        assertTrue(ports.first() >= 20_000 && ports.last() < 32_768, "" + ports);
    }
}
