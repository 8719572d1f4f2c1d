package dev.tandem.structure;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The calls and monitors of methods, and which methods of the project a call may mean. Confined to
/// one thread.
final class LockCode {
    private static final String PROJECT = "dev/tandem/";

    /// A call.
    ///
    /// @param owner the type that the call names
    /// @param isVirtual whether it may mean a method of a subtype
    record Call(String owner, String name, String descriptor, boolean isVirtual) {}

    /// What is done while a lock is held.
    ///
    /// @param locks that the method itself takes meanwhile
    record Region(String lock, List<Call> calls, Set<String> locks) {
        static Region of(String lock) {
            return new Region(lock, new ArrayList<>(), new TreeSet<>());
        }
    }

    /// A method with code.
    ///
    /// @param id such as `a/b/C.name()V`
    /// @param locks that it takes itself
    record Method(String id, List<Call> calls, List<Region> regions, Set<String> locks) {}

    private final Map<String, Method> methods = new HashMap<>();
    private final Map<String, Set<String>> supertypes = new HashMap<>();
    private final Map<String, Set<String>> subtypes = new HashMap<>();

    /// For a functional interface with the name of its method, the methods that are its lambdas.
    private final Map<String, Set<String>> lambdas = new HashMap<>();

    private final Map<Call, List<String>> targets = new HashMap<>();

    Collection<Method> methods() {
        return methods.values();
    }

    void add(Path file) throws IOException {
        ClassModel type = ClassFile.of().parse(file);
        String name = type.thisClass().asInternalName();
        type.superclass().ifPresent(above -> addSubtype(above.asInternalName(), name));
        type.interfaces().forEach(above -> addSubtype(above.asInternalName(), name));
        for (MethodModel method : type.methods()) {
            Method read = new Reader(name, method).read();
            methods.put(read.id(), read);
        }
    }

    private void addSubtype(String above, String name) {
        subtypes.computeIfAbsent(above, _ -> new HashSet<>()).add(name);
        supertypes.computeIfAbsent(name, _ -> new LinkedHashSet<>()).add(above);
    }

    /// Returns the methods of the project that a call may mean.
    List<String> targets(Call call) {
        return targets.computeIfAbsent(call, this::find);
    }

    private List<String> find(Call call) {
        if (!call.owner().startsWith(PROJECT)) {
            return List.of();
        }
        var found = new LinkedHashSet<String>();
        var above = new ArrayDeque<>(List.of(call.owner()));
        while (!above.isEmpty()) {
            String type = above.remove();
            if (!addIfThere(found, type, call)) {
                above.addAll(supertypes.getOrDefault(type, Set.of()));
            }
        }
        if (call.isVirtual()) {
            var next = new ArrayDeque<>(subtypes.getOrDefault(call.owner(), Set.of()));
            while (!next.isEmpty()) {
                String below = next.remove();
                addIfThere(found, below, call);
                next.addAll(subtypes.getOrDefault(below, Set.of()));
            }
            for (String each : lambdas.getOrDefault(call.owner() + '.' + call.name(), Set.of())) {
                if (methods.containsKey(each)) {
                    found.add(each);
                }
            }
        }
        return List.copyOf(found);
    }

    private boolean addIfThere(Set<String> found, String type, Call call) {
        String id = type + '.' + call.name() + call.descriptor();
        return methods.containsKey(id) && found.add(id);
    }

    /// Returns `a/b/C` for the descriptor of an object's type.
    private static String name(String descriptor) {
        return descriptor.startsWith("L")
                ? descriptor.substring(1, descriptor.length() - 1)
                : descriptor;
    }

    /// Reads one method. Follows which type was loaded last, as far as it takes to name a lock.
    ///
    /// The compiler keeps a lock in a variable of its own, and writes an exit for each way out, the
    /// last one for failures: between the first instruction and the last it is held, but for the
    /// steps to a `return`.
    private final class Reader {
        private final String owner;
        private final MethodModel method;
        private final List<CodeElement> code;
        private final List<Call> calls = new ArrayList<>();
        private final List<Region> regions = new ArrayList<>();
        private final Set<String> locks = new TreeSet<>();

        /// By the index of the last instruction at which its lock is held.
        private final TreeMap<Integer, Region> open = new TreeMap<>();

        private final Map<Integer, String> variables = new HashMap<>();
        private String loaded = "";
        private int stored;

        Reader(String owner, MethodModel method) {
            this.owner = owner;
            this.method = method;
            this.code = method.code().map(CodeModel::elementList).orElse(List.of());
        }

        Method read() {
            boolean isStatic = has(ClassFile.ACC_STATIC);
            int slot = isStatic ? 0 : 1;
            if (!isStatic) {
                variables.put(0, owner);
            }
            for (ClassDesc parameter : method.methodTypeSymbol().parameterList()) {
                String type = parameter.descriptorString();
                variables.put(slot, name(type));
                slot += type.equals("J") || type.equals("D") ? 2 : 1;
            }
            if (has(ClassFile.ACC_SYNCHRONIZED)) {
                enter(owner, code.size());
            }
            for (int i = 0; i < code.size(); i++) {
                open.headMap(i).clear();
                read(code.get(i), i);
            }
            String id =
                    owner
                            + '.'
                            + method.methodName().stringValue()
                            + method.methodType().stringValue();
            return new Method(id, calls, regions, locks);
        }

        private boolean has(int flag) {
            return (method.flags().flagsMask() & flag) != 0;
        }

        private void enter(String lock, int last) {
            locks.add(lock);
            open.values().forEach(region -> region.locks().add(lock));
            var region = Region.of(lock);
            open.put(last, region);
            regions.add(region);
        }

        private void read(CodeElement element, int at) {
            switch (element) {
                case LoadInstruction load when load.typeKind() == TypeKind.REFERENCE ->
                        loaded = variables.getOrDefault(load.slot(), "");
                case StoreInstruction store when store.typeKind() == TypeKind.REFERENCE -> {
                    variables.put(store.slot(), loaded);
                    stored = store.slot();
                }
                case FieldInstruction field -> read(field);
                case MonitorInstruction monitor -> read(monitor, at);
                case InvokeInstruction invoked -> read(invoked);
                case InvokeDynamicInstruction made -> read(made);
                default -> {
                    // It names no lock and calls nothing.
                }
            }
        }

        /// A lock that is no type of the project is known by the field that has it.
        private void read(FieldInstruction field) {
            String type = name(field.type().stringValue());
            loaded =
                    type.startsWith(PROJECT)
                            ? type
                            : field.owner().asInternalName() + '.' + field.name().stringValue();
        }

        private void read(MonitorInstruction monitor, int at) {
            if (monitor.opcode() == Opcode.MONITORENTER) {
                enter(loaded, lastExit(stored, at));
            }
        }

        /// Returns the last exit of the lock in a variable, before that has another lock.
        private int lastExit(int variable, int from) {
            int last = from;
            int latest = -1;
            for (int i = from + 1; i < code.size(); i++) {
                CodeElement each = code.get(i);
                if (each instanceof LoadInstruction load) {
                    latest = load.slot();
                } else if (each instanceof StoreInstruction store) {
                    latest = store.slot();
                } else if (each instanceof MonitorInstruction monitor && latest == variable) {
                    if (monitor.opcode() == Opcode.MONITORENTER) {
                        return last;
                    }
                    last = i;
                }
            }
            return last;
        }

        private void read(InvokeInstruction invoked) {
            boolean isVirtual =
                    invoked.opcode() == Opcode.INVOKEVIRTUAL
                            || invoked.opcode() == Opcode.INVOKEINTERFACE;
            var call =
                    new Call(
                            invoked.owner().asInternalName(),
                            invoked.name().stringValue(),
                            invoked.type().stringValue(),
                            isVirtual);
            calls.add(call);
            open.values().forEach(region -> region.calls().add(call));
            loaded = name(invoked.typeSymbol().returnType().descriptorString());
        }

        private void read(InvokeDynamicInstruction made) {
            loaded = name(made.typeSymbol().returnType().descriptorString());
            for (Object argument : made.bootstrapArgs()) {
                if (argument instanceof DirectMethodHandleDesc body) {
                    String id =
                            name(body.owner().descriptorString())
                                    + '.'
                                    + body.methodName()
                                    + body.lookupDescriptor();
                    lambdas.computeIfAbsent(
                                    loaded + '.' + made.name().stringValue(), _ -> new HashSet<>())
                            .add(id);
                }
            }
        }
    }
}
