package dev.tandem.testkit.interleave;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Loads copies of the classes of some packages, with hooks in them. All others are the usual ones.
final class ExploredLoader extends ClassLoader {
    private final ClassLoader parent;
    private final List<String> packages;
    private final HookInserter inserter;
    private final Map<String, @Nullable ClassModel> models = new HashMap<>();

    /// @param packages whose classes are explored, those of their sub-packages not included
    ExploredLoader(ClassLoader parent, List<String> packages, List<Mutation> mutations) {
        super(parent);
        this.parent = parent;
        this.packages = packages;
        this.inserter = new HookInserter(this, mutations);
    }

    @Override
    protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            int dot = name.lastIndexOf('.');
            if (dot < 0 || !packages.contains(name.substring(0, dot))) {
                return parent.loadClass(name);
            }
            ClassModel model = model(name.replace('.', '/'));
            if (model == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = inserter.insert(model);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    private @Nullable ClassModel model(String internalName) {
        return models.computeIfAbsent(internalName, this::read);
    }

    private @Nullable ClassModel read(String internalName) {
        try (InputStream in = parent.getResourceAsStream(internalName + ".class")) {
            return in == null ? null : inserter.parse(in.readAllBytes());
        } catch (IOException e) {
            return null;
        }
    }

    /// Returns the flags of a field, wherever it is declared; 0 if it is not found.
    int fieldFlags(String owner, String name) {
        for (ClassModel model = model(owner); model != null; ) {
            for (FieldModel field : model.fields()) {
                if (field.fieldName().equalsString(name)) {
                    return field.flags().flagsMask();
                }
            }
            model = model.superclass().map(above -> model(above.asInternalName())).orElse(null);
        }
        return 0;
    }
}
