package dev.tandem.withers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compiles records and calls what was generated for them.
class WithersProcessorTest {
    private static final String SOURCE =
            """
            package sample;

            import java.util.List;
            import java.util.Optional;
            import org.jspecify.annotations.Nullable;

            /// Options of a sample.
            ///
            /// @param limits of [Limits]
            /// @param isLenient whether old syntax is accepted;
            ///     default false
            public record Sample(
                    Limits limits,
                    boolean isLenient,
                    @Nullable String host,
                    Optional<String> file,
                    List<String> names)
                    implements SampleWith {

                public static final Sample DEFAULT =
                        new Sample(new Limits(1), false, null, Optional.empty(), List.of());

                public record Limits(long bodyMax) implements LimitsWith {
                    public Limits {
                        if (bodyMax < 0) {
                            throw new IllegalArgumentException("bodyMax");
                        }
                    }
                }

                public record Plain(int value) {}
            }
            """;

    private final Path folder;
    private final URLClassLoader classes;
    private final Class<?> type;
    private final Object sample;

    WithersProcessorTest(@TempDir Path folder) throws Exception {
        this.folder = folder;
        Path source = Files.writeString(folder.resolve("Sample.java"), SOURCE);
        var compiler = ToolProvider.getSystemJavaCompiler();
        var messages = new StringWriter();
        var options = List.of("-Xlint:all", "-Xdoclint:all,-missing", "-Werror", "-d", folder + "");
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var sources = files.getJavaFileObjects(source);
            var task = compiler.getTask(messages, files, null, options, null, sources);
            task.setProcessors(List.of(new WithersProcessor()));
            assertTrue(task.call(), messages::toString);
        }
        classes = new URLClassLoader(new URL[] {folder.toUri().toURL()});
        type = classes.loadClass("sample.Sample");
        sample = type.getField("DEFAULT").get(null);
    }

    @AfterEach
    void close() throws IOException {
        classes.close();
    }

    @Test
    void copyDiffersInOneComponent() throws Exception {
        Object copy = with(sample, "withNames", List.class, List.of("a"));
        assertEquals(
                "Sample[limits=Limits[bodyMax=1], isLenient=false, host=null,"
                        + " file=Optional.empty, names=[a]]",
                copy.toString());
        assertEquals(sample, with(copy, "withNames", List.class, List.of()));
    }

    @Test
    void verbOfABooleanIsLeftOut() throws Exception {
        assertEquals(true, get(with(sample, "withLenient", boolean.class, true), "isLenient"));
    }

    @Test
    void contentOfAnOptionalIsAccepted() throws Exception {
        Object copy = with(sample, "withFile", String.class, "a.log");
        assertEquals(Optional.of("a.log"), get(copy, "file"));
        assertEquals(sample, with(copy, "withFile", Optional.class, Optional.empty()));
    }

    @Test
    void nestedRecordIsChangedByAFunction() throws Exception {
        UnaryOperator<Object> change = limits -> withBodyMax(limits, 7);
        Object copy = with(sample, "withLimits", UnaryOperator.class, change);
        assertEquals(withBodyMax(get(sample, "limits"), 7), get(copy, "limits"));
    }

    @Test
    void constructorChecksTheCopy() throws Exception {
        Object limits = get(sample, "limits");
        assertThrows(IllegalArgumentException.class, () -> withBodyMax(limits, -1));
    }

    @Test
    void nullableComponentAcceptsNull() throws Exception {
        assertNull(
                get(
                        with(
                                with(sample, "withHost", String.class, "h"),
                                "withHost",
                                String.class,
                                null),
                        "host"));
        var parameter = type.getMethod("withHost", String.class).getAnnotatedParameterTypes()[0];
        assertTrue(parameter.isAnnotationPresent(Nullable.class));
    }

    @Test
    void interfaceIsHidden() throws Exception {
        assertFalse(Modifier.isPublic(classes.loadClass("sample.SampleWith").getModifiers()));
    }

    @Test
    void recordThatDoesNotRequestWithersHasNone() {
        assertThrows(ClassNotFoundException.class, () -> classes.loadClass("sample.PlainWith"));
    }

    @Test
    void documentationIsThatOfTheComponent() throws Exception {
        String generated = Files.readString(folder.resolve("sample/SampleWith.java"));
        assertTrue(
                generated.contains("/// Returns a copy with another `limits`: of `Limits`.\n"),
                generated);
        assertTrue(
                generated.contains(
                        "/// Returns a copy with another `isLenient`: whether old syntax is"
                                + " accepted; default false.\n"),
                generated);
        assertTrue(generated.contains("/// Returns a copy with another `host`.\n"), generated);
    }

    private static Object withBodyMax(Object limits, long bytes) {
        try {
            return with(limits, "withBodyMax", long.class, bytes);
        } catch (InvocationTargetException e) {
            throw assertInstanceOf(RuntimeException.class, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Object with(Object of, String name, Class<?> parameter, @Nullable Object value)
            throws ReflectiveOperationException {
        Method method = of.getClass().getMethod(name, parameter);
        method.setAccessible(
                true); // by reflection, its interface's access counts, not the record's
        return method.invoke(of, value);
    }

    private static Object get(Object of, String component) throws ReflectiveOperationException {
        return of.getClass().getMethod(component).invoke(of);
    }
}
