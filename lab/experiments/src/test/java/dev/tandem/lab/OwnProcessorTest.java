package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class OwnProcessorTest {
    private static Pinning pinning() throws LabException {
        Toolbox tools = Toolbox.ofProcess();
        Assumptions.assumeTrue(tools.find("taskset") != null, "needs taskset");
        Assumptions.assumeTrue(Kernel.processors().size() > 1, "needs two processors");
        return Pinning.of(tools);
    }

    @Test
    void processIsOnTheLoadsProcessorUntilClosed() throws Exception {
        Pinning pinning = pinning();
        List<Integer> before = Kernel.processors();
        try (OwnProcessor _ = OwnProcessor.of(pinning)) {
            assertEquals(pinning.load(), Kernel.processors());
        }
        assertEquals(before, Kernel.processors());
    }

    @Test
    void withoutPinningNothingChanges() throws Exception {
        List<Integer> before = Kernel.processors();
        try (OwnProcessor _ = OwnProcessor.of(Pinning.NONE)) {
            assertEquals(before, Kernel.processors());
        }
    }
}
