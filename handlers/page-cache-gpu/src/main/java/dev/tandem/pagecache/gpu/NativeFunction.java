package dev.tandem.pagecache.gpu;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// A C function that returns an `int`, 0 for success. Called a few times for each batch, so that
/// arguments in an array cost nothing that could be measured. Thread safe.
final class NativeFunction {
    private final String name;
    private final MethodHandle handle;

    /// @throws java.util.NoSuchElementException if the library does not have it
    @SuppressWarnings("restricted") // native access is checked before
    NativeFunction(SymbolLookup library, String name, MemoryLayout... parameters) {
        this.name = name;
        this.handle =
                Linker.nativeLinker()
                        .downcallHandle(
                                library.findOrThrow(name),
                                FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters))
                        .asSpreader(Object[].class, parameters.length);
    }

    String name() {
        return name;
    }

    /// @param arguments of the types of the parameters: pointers as long, structures as segments
    int call(Object... arguments) {
        try {
            return (int) handle.invokeExact(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("a C function throws nothing", e);
        }
    }
}
