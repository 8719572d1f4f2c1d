package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathNamesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "a/",
                "a/b.txt",
                "a..b",
                "a./b",
                "100%.txt",
                "%2e%2e",
                "C:",
                "a:b",
                "a b",
                "grün/ß.html",
                ".well-known/security.txt",
                "a/.well-known/",
                "~user",
                "…"
            })
    void namesOfFilesAreVisible(String tail) {
        assertTrue(PathNames.areVisible(tail, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/etc/passwd",
                "//host/share",
                "a//b",
                "a//",
                ".",
                "..",
                "./a",
                "../a",
                "a/..",
                "a/../b",
                "a/../../b",
                "...",
                "a/.../b",
                "..\\a",
                "a\\b",
                "\\",
                "a\0",
                "a\0.txt",
                "\0",
                "a\nb",
                "a\u007f",
                "a\u0085b",
                ".git/config",
                "a/.htaccess",
                ".well-known2",
                ".well-know",
                ".WELL-KNOWN/x",
                ".well-known/.secret",
                ".well-known/../a"
            })
    void namesThatAreHiddenOrLeadElsewhereAreInvisible(String tail) {
        assertFalse(PathNames.areVisible(tail, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"C:", "c:/a", "a.txt:stream", "a::$DATA", "a.", "a ", "b/a. /c", "GIT~1/a"})
    void aliasesOfWindowsAreInvisibleThere(String tail) {
        assertFalse(PathNames.areVisible(tail, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/", "a.txt", "a/b c.d"})
    void plainNamesAreVisibleOnWindows(String tail) {
        assertTrue(PathNames.areVisible(tail, true));
    }

    @Test
    void pathOfMoreThan4095BytesIsInvisible() {
        assertTrue(PathNames.areVisible("ab/".repeat(1_365), false));
        assertFalse(PathNames.areVisible("ab/".repeat(1_365) + "a", false));
        assertFalse(PathNames.areVisible("ü/".repeat(1_365) + "a", false));
    }

    @Test
    void nameOf255BytesIsVisible() {
        assertTrue(PathNames.areVisible("ü".repeat(127) + "u/" + "a".repeat(255), false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"u", "ü", "€", "😀"})
    void nameOfMoreThan255BytesIsInvisible(String letter) {
        assertFalse(PathNames.areVisible("a/" + letter.repeat(256 / letter.length()), false));
    }
}
