package dev.tandem.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TypeGraphTest {
    private static final String PREFIX = TypeGraphTest.class.getPackageName() + ".Planted";

    @Test
    void cycleOfThreeTypesIsFoundAndAChainIsNot() {
        var classes =
                new ClassFileImporter()
                        .importClasses(
                                PlantedA.class,
                                PlantedB.class,
                                PlantedC.class,
                                PlantedC.Inner.class,
                                PlantedD.class);
        TypeGraph graph = TypeGraph.of(classes);
        assertEquals(
                List.of(Set.of(PREFIX + "A", PREFIX + "B", PREFIX + "C")), graph.cyclesOver(2));
        assertEquals(List.of(), graph.cyclesOver(3));
        assertEquals(Set.of(PREFIX + "A"), graph.targets(PREFIX + "D"));
    }
}

record PlantedA(PlantedB b) {}

record PlantedB(PlantedC[] c) {}

record PlantedC(Inner inner) {
    record Inner(PlantedA a) {}
}

record PlantedD(PlantedA a) {}
