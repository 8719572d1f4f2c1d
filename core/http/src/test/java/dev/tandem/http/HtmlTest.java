package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HtmlTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '~',
            value = {
                "<script> &lt;script&gt;",
                "a&b a&amp;b",
                "&lt; &amp;lt;",
                "\"' &quot;&#39;",
                "ü<€ ü&lt;€"
            })
    void markupCharactersAreEscaped(String text, String escaped) {
        assertEquals(escaped, Html.escape(text));
    }

    @Test
    void otherTextIsUnchanged() {
        var text = "a b\n/=`";
        assertSame(text, Html.escape(text));
    }
}
