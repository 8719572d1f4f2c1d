package dev.tandem.tomcat;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A class loader that shows applications only part of our class path: Tomcat and the interfaces
/// that it implements. Other libraries, such as loggers and JDBC drivers, are hidden: a library
/// that an application contains would find ours as well as its own. The whole JDK is visible,
/// including what is on our class path, such as the compiler. Safe for use by several threads.
final class FilteredClassLoader extends ClassLoader {
    private static final List<String> PACKAGES =
            List.of(
                    "com.sun.",
                    StaticFileInitializer.class.getName(), // Catalina loads it for each application
                    "jakarta.",
                    "jdk.",
                    "org.apache.catalina.",
                    "org.apache.coyote.",
                    "org.apache.el.",
                    "org.apache.jasper.",
                    "org.apache.juli.",
                    "org.apache.naming.",
                    "org.apache.tomcat.",
                    "sun.");

    private static final String SERVICES = "META-INF/services/";

    static {
        registerAsParallelCapable();
    }

    private final ClassLoader delegate;

    /// @param delegate loads the visible classes, among others
    FilteredClassLoader(ClassLoader delegate) {
        super("applications", getPlatformClassLoader());
        this.delegate = delegate;
    }

    private static boolean isVisible(String name) {
        return PACKAGES.stream().anyMatch(name::startsWith);
    }

    private static boolean isResourceVisible(String path) {
        String name = path.startsWith(SERVICES) ? path.substring(SERVICES.length()) : path;
        return isVisible(name.replace('/', '.'));
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (!isVisible(name)) {
            throw new ClassNotFoundException(name);
        }
        return delegate.loadClass(name);
    }

    @Override
    protected @Nullable URL findResource(String path) {
        return isResourceVisible(path) ? delegate.getResource(path) : null;
    }

    @Override
    protected Enumeration<URL> findResources(String path) throws IOException {
        return isResourceVisible(path)
                ? delegate.getResources(path)
                : Collections.emptyEnumeration();
    }
}
