package dev.tandem.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The rules of ARCHITECTURE.md for dependencies, on the compiled classes of the product.
class StructureTest {
    /// A cycle of more types cannot be understood, tested or changed in parts.
    private static final int CYCLE_MAX = 8;

    /// Public for tests of another package.
    private static final Set<String> USED_BY_TESTS =
            Set.of("dev.tandem.engine.manage.RunningRequest");

    /// Switches over types that no start and no usual first request executes.
    private static final Set<String> LINKED_LATER =
            Set.of("LoopMembers.class", "ResponseHeadDecoder.class", "SessionMessages.class");

    private final Project project = Project.current();

    @Test
    void noModuleHasACycleOfMoreThanEightTypes() throws IOException {
        var found = new ArrayList<String>();
        for (Path module : modules()) {
            JavaClasses classes = project.classes(module);
            for (Set<String> cycle : TypeGraph.of(classes).cyclesOver(CYCLE_MAX)) {
                if (!isFamily(cycle, classes)) {
                    found.add(name(module) + ": " + cycle.size() + " types: " + cycle);
                }
            }
        }
        assertEquals("", String.join("\n", found));
    }

    /// A sealed type names its subtypes and they name it.
    private static boolean isFamily(Set<String> cycle, JavaClasses classes) {
        return cycle.stream()
                .map(classes::get)
                .anyMatch(
                        root ->
                                cycle.stream()
                                        .allMatch(
                                                t ->
                                                        classes.get(t)
                                                                .isAssignableTo(root.getName())));
    }

    @Test
    void moduleUsesOnlyItsOwnLayerAndThoseBelow() throws IOException {
        var layers = new HashMap<String, Integer>();
        var imported = new HashMap<Path, JavaClasses>();
        for (int i = 0; i < Project.LAYERS.size(); i++) {
            for (Path module : productModules(Project.LAYERS.get(i))) {
                JavaClasses classes = project.classes(module);
                imported.put(module, classes);
                for (JavaClass type : classes) {
                    layers.merge(type.getName(), i, Math::min);
                }
            }
        }
        var found = new TreeSet<String>();
        imported.forEach(
                (module, classes) -> classes.forEach(type -> check(module, type, layers, found)));
        assertEquals("", String.join("\n", found));
    }

    private void check(
            Path module, JavaClass type, Map<String, Integer> layers, Set<String> found) {
        int layer = Project.LAYERS.indexOf(project.root().relativize(module).getName(0).toString());
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
            JavaClass target = dependency.getTargetClass().getBaseComponentType();
            if (target.getName().startsWith("dev.tandem.")) {
                Integer below = layers.get(target.getName());
                if (below == null || below > layer) {
                    found.add(name(module) + ": " + type.getName() + " uses " + target.getName());
                }
            }
        }
    }

    /// The JVM's AOT cache keeps none of them: each is linked at its first execution, in
    /// milliseconds (`docs/decisions/0006-start-up.md`).
    @Test
    void switchOverTypesIsOnNoPathOfAStart() throws IOException {
        var found = new TreeSet<String>();
        for (Path module : productModules("core")) {
            try (var files = Files.walk(module.resolve("target/classes"))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                    String content = Files.readString(file, StandardCharsets.ISO_8859_1);
                    if (content.contains("java/lang/runtime/SwitchBootstraps")) {
                        found.add(String.valueOf(file.getFileName()));
                    }
                }
            }
        }
        assertEquals(new TreeSet<>(LINKED_LATER), found);
    }

    @Test
    void publicTypeOfAHiddenPackageIsUsedByAnotherPackage() throws IOException {
        var found = new ArrayList<String>();
        for (Path module : modules()) {
            Path file = module.resolve("target/classes/module-info.class");
            if (Files.exists(file)) {
                try (InputStream in = Files.newInputStream(file)) {
                    checkPublicTypes(module, ModuleDescriptor.read(in), found);
                }
            }
        }
        assertEquals("", String.join("\n", found));
    }

    private void checkPublicTypes(Path module, ModuleDescriptor descriptor, List<String> found) {
        var visible = new TreeSet<String>();
        descriptor.exports().forEach(export -> visible.add(export.source()));
        descriptor.opens().forEach(opens -> visible.add(opens.source()));
        var services = new TreeSet<String>();
        descriptor.provides().forEach(provides -> services.addAll(provides.providers()));
        for (JavaClass type : project.classes(module)) {
            boolean isPublic = type.getModifiers().contains(JavaModifier.PUBLIC);
            boolean isHidden = !visible.contains(type.getPackageName());
            boolean isStarted = services.contains(type.getName()) || hasMain(type);
            boolean hasReason = isStarted || USED_BY_TESTS.contains(type.getName());
            boolean isOwn = !type.isNestedClass() && !hasReason;
            if (isPublic && isHidden && isOwn && !isUsedElsewhere(type)) {
                found.add(name(module) + ": " + type.getName() + " need not be public");
            }
        }
    }

    /// The JVM starts it.
    private static boolean hasMain(JavaClass type) {
        return type.tryGetMethod("main", String[].class).isPresent();
    }

    private static boolean isUsedElsewhere(JavaClass type) {
        return type.getDirectDependenciesToSelf().stream()
                .anyMatch(d -> !d.getOriginClass().getPackageName().equals(type.getPackageName()));
    }

    private List<Path> modules() throws IOException {
        var modules = new ArrayList<Path>();
        for (String layer : Project.LAYERS) {
            modules.addAll(productModules(layer));
        }
        return modules;
    }

    /// Modules with main sources; where one source is built twice, both.
    private List<Path> productModules(String layer) throws IOException {
        return project.modules(layer).stream()
                .filter(module -> Files.isDirectory(module.resolve("src/main/java")))
                .toList();
    }

    private String name(Path module) {
        return project.root().relativize(module).toString();
    }
}
