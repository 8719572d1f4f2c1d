package dev.tandem.lab.shops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class PageContentTest {
    @Test
    void incompletePageIsNotWhole() {
        String page = "<meta name=\"page\" content=\"Home\">…\n<!-- end of Home -->\n";
        assertTrue(new PageContent(page).isWhole("Home"));
        assertFalse(new PageContent(page).isWhole("Browse"));
        assertFalse(new PageContent(page.substring(0, 40)).isWhole("Home"));
    }

    @Test
    void fieldsAndLinksAreFound() {
        var shown =
                new PageContent(
                        "<a href=\"/item?id=7\">x</a><a href=\"/item?id=8\">y</a>"
                                + "<input name=\"quantity\" min=\"1\" max=\"9\" value=\"2\">"
                                + "<input name=\"empty\"><b value=\"of another\">");
        assertEquals(List.of("7", "8"), shown.all("/item?id="));
        assertEquals("2", shown.field("quantity"));
        assertEquals(9, shown.most("quantity"));
        assertNull(shown.field("empty"));
        assertNull(shown.field("nothing"));
    }
}
