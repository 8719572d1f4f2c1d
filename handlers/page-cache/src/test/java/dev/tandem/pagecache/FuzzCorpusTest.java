package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FuzzCorpus;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FuzzCorpusTest {

    @ParameterizedTest
    @ValueSource(classes = {RestoreFormatTarget.class})
    void keptInputsPass(Class<?> target) throws IOException {
        assertTrue(FuzzCorpus.replay(MethodHandles.lookup(), target) > 0);
    }
}
