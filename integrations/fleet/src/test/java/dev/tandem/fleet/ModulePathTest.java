package dev.tandem.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The tests of this module run on the class path, where module descriptors say nothing.
class ModulePathTest {
    private static final String MODULE = "dev.tandem.fleet";

    private final ClassLoader loader;

    ModulePathTest() {
        Path[] modules =
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(Path::of)
                        .filter(ModulePathTest::isOurs)
                        .toArray(Path[]::new);
        ModuleLayer boot = ModuleLayer.boot();
        var resolved =
                boot.configuration()
                        .resolve(ModuleFinder.of(modules), ModuleFinder.of(), Set.of(MODULE));
        ClassLoader platform = ClassLoader.getPlatformClassLoader();
        loader = boot.defineModulesWithOneLoader(resolved, platform).findLoader(MODULE);
    }

    private static boolean isOurs(Path path) {
        String name = path.getFileName().toString();
        return Files.exists(path.resolve("module-info.class"))
                || name.matches("(tandem|jspecify)-.*\\.jar");
    }

    @Test
    void instanceStartsAndLeavesOnTheModulePath() throws Exception {
        Class<?> type = loader.loadClass(MODULE + ".Fleet");
        assertEquals(MODULE, type.getModule().getName());
        Object options = loader.loadClass(MODULE + ".FleetOptions").getField("DEFAULT").get(null);
        Object fleet = call(type, null, "open", options);
        Class<?> tandem = loader.loadClass("dev.tandem.Tandem");
        Object started = call(tandem, null, "listen", "127.0.0.1", 0);
        Object server = call(tandem, call(type, fleet, "addTo", started), "start");
        call(type, fleet, "join", server);
        assertTrue((int) call(server.getClass(), server, "port") > 0);
        assertEquals(true, call(type, fleet, "drain", Duration.ofSeconds(10)));
        call(type, fleet, "close");
    }

    private static Object call(Class<?> type, @Nullable Object of, String name, Object... arguments)
            throws ReflectiveOperationException {
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name)
                    && method.getParameterCount() == arguments.length
                    && fit(method, arguments)) {
                return method.invoke(of, arguments);
            }
        }
        throw new NoSuchMethodException(type + "." + name);
    }

    private static boolean fit(Method method, Object... arguments) {
        for (int i = 0; i < arguments.length; i++) {
            Class<?> type = method.getParameterTypes()[i];
            boolean isInt = type == int.class && arguments[i] instanceof Integer;
            if (!isInt && !type.isInstance(arguments[i])) {
                return false;
            }
        }
        return true;
    }
}
