package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// Without the module `tls-boringssl`, which is not on the class path of these tests.
class ChosenEngineTest {
    private static final String JDK = "JDK " + Runtime.version().feature();

    @Test
    void theJdksEngineIsTheBestWhereNoOtherIsInstalled() throws Exception {
        ChosenEngine best = ChosenEngine.of(EngineChoice.BEST);
        assertTrue(best.isJdk());
        assertEquals(
                JDK
                        + " (BoringSSL is not installed: tandem-tls-boringssl is not on the class"
                        + " path)",
                best.name());
    }

    @Test
    void aChosenJdkEngineNeedsNoReason() throws Exception {
        assertEquals(JDK, ChosenEngine.of(EngineChoice.JDK).name());
    }

    @Test
    void boringSslThatIsRequiredAndMissingIsAnError() {
        var e =
                assertThrows(
                        TlsConfigException.class, () -> ChosenEngine.of(EngineChoice.BORINGSSL));
        assertEquals(
                "BoringSSL is not installed: tandem-tls-boringssl is not on the class path;"
                        + " choose the JDK's engine",
                e.getMessage());
    }
}
