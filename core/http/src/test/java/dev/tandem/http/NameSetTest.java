package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameSetTest {
    private final NameSet set = NameSet.of("te", "trailer", "upgrade", "Transfer-Encoding");

    @ParameterizedTest
    @ValueSource(strings = {"te", "TE", "Te", "Trailer", "UPGRADE", "transfer-encoding"})
    void containsItsNamesInEverySpelling(String name) {
        assertTrue(set.contains(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "t",
                "tee",
                "trailers",
                "trailes",
                "Date",
                "transfer_encoding",
                "a-name-longer-than-all"
            })
    void containsNoOthers(String name) {
        assertFalse(set.contains(name));
    }

    @Test
    void emptySetContainsNothing() {
        assertFalse(NameSet.of().contains(""));
        assertFalse(NameSet.of().contains("te"));
    }

    @Test
    void nameThatIsNoTokenIsRejected() {
        assertThrows(IllegalArgumentException.class, () -> NameSet.of("a b"));
    }
}
