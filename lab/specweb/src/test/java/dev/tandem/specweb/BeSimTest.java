package dev.tandem.specweb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BeSimTest {

    @Test
    void picturesOfACheque_haveTheBenchmarksFormat() {
        String page = BeSim.page("1&4&58&3");
        assertTrue(page.contains("<title>SPECweb2005 BESIM</title>"), page);
        assertTrue(
                page.contains(
                        "<pre>\n0\n0000000058&/user0000000058/CIF000003"
                                + "&/user0000000058/CIB000003\n</pre>"),
                page);
    }

    @Test
    void sameQuery_hasTheSameResponse() {
        assertEquals(BeSim.page("1&2&58"), BeSim.page("1&2&58"));
        assertTrue(!BeSim.page("1&2&58").equals(BeSim.page("1&2&59")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "4&1",
                "1&99",
                "1&4&58",
                "1&4&x&3",
                "1&4&58&../../etc",
                "1&4&58&9999999999",
                "1&1&1&1&1&1&1&1&1&1&1&1&1&1&1&1&1"
            })
    void invalidQuery_isRejected(String query) {
        assertTrue(BeSim.page(query).contains("<pre>\n1\n</pre>"), BeSim.page(query));
    }

    @Test
    void everyPageOfEverySite_hasItsData() {
        for (Screen screen : Screens.ALL) {
            boolean isAsking = screen.command() > 0 && screen.kind() != Screen.Kind.PICTURE;
            if (isAsking) {
                String page = BeSim.page(screen.site().workload() + "&" + screen.command() + "&7");
                List<String> rows = page.lines().filter(line -> !line.startsWith("<")).toList();
                assertEquals("0", rows.getFirst(), screen.path());
                int fields = rows.get(1).split("&").length;
                assertEquals(screen.heads().size(), fields, screen.path());
            }
        }
    }
}
