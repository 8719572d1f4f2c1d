package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathParametersTest {

    @ParameterizedTest
    @CsvSource({
        "/a;x, /a",
        "/a;x=1;y=2/b;z, /a/b",
        "/a;x/, /a/",
        "/a/;x, /a/",
        "/;x, /",
        "/;x/, /",
        "/;/;x/a, /a",
        "/a/;x/b, /a/b",
        "/a/b;, /a/b"
    })
    void parametersAreRemovedAndSlashesMerged(String path, String plain) {
        assertEquals(plain, PathParameters.removed(path));
    }

    @Test
    void pathWithoutParametersIsReturnedItself() {
        String path = "/a/b";
        assertSame(path, PathParameters.removed(path));
    }
}
