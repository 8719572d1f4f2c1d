package dev.tandem.testkit.interleave;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes the explored copy of a class: each method with hooks, none synchronized.
final class HookInserter {
    private final ExploredLoader loader;
    private final List<Mutation> mutations;
    private final ClassFile classFile;

    HookInserter(ExploredLoader loader, List<Mutation> mutations) {
        this.loader = loader;
        this.mutations = mutations;
        this.classFile =
                ClassFile.of(
                        ClassFile.ClassHierarchyResolverOption.of(
                                ClassHierarchyResolver.ofResourceParsing(loader)
                                        .orElse(ClassHierarchyResolver.defaultResolver())));
    }

    ClassModel parse(byte[] bytes) {
        return classFile.parse(bytes);
    }

    byte[] insert(ClassModel model) {
        return classFile.transformClass(
                model,
                (builder, element) -> {
                    if (element instanceof MethodModel method && method.code().isPresent()) {
                        insert(model, method, builder);
                    } else {
                        builder.with(element);
                    }
                });
    }

    private void insert(ClassModel model, MethodModel method, ClassBuilder builder) {
        CodeModel code = method.code().orElseThrow();
        var hooked = new HookedCode(loader, method, mutation(model, method));
        builder.withMethod(
                method.methodName(),
                method.methodType(),
                method.flags().flagsMask() & ~ClassFile.ACC_SYNCHRONIZED,
                made -> {
                    for (var element : method) {
                        if (!(element instanceof CodeModel) && !(element instanceof AccessFlags)) {
                            made.with(element);
                        }
                    }
                    made.transformCode(code, hooked);
                });
    }

    private @Nullable Mutation mutation(ClassModel model, MethodModel method) {
        String type = model.thisClass().asInternalName();
        for (Mutation mutation : mutations) {
            if (method.methodName().equalsString(mutation.method())
                    && type.endsWith('/' + mutation.type())) {
                return mutation;
            }
        }
        return null;
    }
}
