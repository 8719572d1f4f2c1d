package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlobTest {
    @ParameterizedTest
    @CsvSource({
        "*.html, a.html, true",
        "*.html, a/b.html, true",
        "*.html, a.htmlx, false",
        "*.html, ahtml, false",
        "/*.txt, a.txt, true",
        "/*.txt, a/b.txt, false",
        "assets/**, assets/a/b, true",
        "assets/**, assets, false",
        "assets/*, assets/a/b, false",
        "a?c, abc, true",
        "a?c, a/c, false",
        "A.b, a.b, false",
        "[a]+(b), [a]+(b), true"
    })
    void globMatchesPath(String pattern, String path, boolean isMatch) {
        assertEquals(isMatch, Glob.of(pattern).matches(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "*a*b*c*d*e"})
    void invalidOrSlowPatternIsRejected(String pattern) {
        assertThrows(IllegalArgumentException.class, () -> Glob.of(pattern));
    }
}
