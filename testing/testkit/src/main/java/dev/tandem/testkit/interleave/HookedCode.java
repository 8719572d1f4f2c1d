package dev.tandem.testkit.interleave;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The code of one method with calls of [Steps]: before accesses to fields that are not final, in
/// place of
/// monitors, parking and time, and before calls of what threads share.
final class HookedCode implements CodeTransform {
    private static final ClassDesc STEPS = ClassDesc.of("dev.tandem.testkit.interleave.Steps");
    private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
    private static final MethodTypeDesc OBJECT_NAME =
            MethodTypeDesc.of(
                    ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_String);
    private static final MethodTypeDesc OBJECT =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object);
    private static final String COMPARE_AND_SET = "compareAndSet";

    /// Methods of the JDK that static methods of [Steps] with the same arguments replace, the
    /// object first.
    private static final Map<String, String> REPLACED =
            Map.of(
                    "java/util/concurrent/locks/LockSupport.park", "park",
                    "java/util/concurrent/locks/LockSupport.parkNanos", "parkNanos",
                    "java/util/concurrent/locks/LockSupport.unpark", "unpark",
                    "java/lang/Thread.yield", "yieldStep",
                    "java/lang/Thread.start", "start",
                    "java/lang/Thread.interrupt", "interrupt",
                    "java/lang/System.nanoTime", "nanoTime",
                    "java/lang/Object.wait", "waitFor",
                    "java/lang/Object.notifyAll", "notifyAll",
                    "java/util/concurrent/TimeUnit.timedWait", "timedWait");

    private final ExploredLoader loader;
    private final @Nullable Mutation mutation;
    private final boolean isConstructor;
    private final boolean isSynchronized;
    private @Nullable Label begin;

    HookedCode(ExploredLoader loader, MethodModel method, @Nullable Mutation mutation) {
        this.loader = loader;
        this.mutation = mutation;
        int flags = method.flags().flagsMask();
        this.isConstructor = method.methodName().stringValue().startsWith("<");
        this.isSynchronized =
                (flags & ClassFile.ACC_SYNCHRONIZED) != 0 && !has(Mutation.Kind.UNLOCKED);
        if (isSynchronized && (flags & ClassFile.ACC_STATIC) != 0) {
            throw new IllegalArgumentException("static synchronized methods are not supported");
        }
    }

    private boolean has(Mutation.Kind kind) {
        return mutation != null && mutation.is(kind);
    }

    @Override
    public void atStart(CodeBuilder code) {
        if (isSynchronized) {
            code.aload(0).invokestatic(STEPS, "enter", OBJECT);
            begin = code.newBoundLabel();
        }
    }

    @Override
    public void atEnd(CodeBuilder code) {
        if (begin != null) {
            Label handler = code.newBoundLabel();
            code.exceptionCatchAll(begin, handler, handler);
            code.aload(0).invokestatic(STEPS, "exit", OBJECT).athrow();
        }
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
        switch (element) {
            case MonitorInstruction monitor -> monitor(code, monitor);
            case ReturnInstruction back -> {
                if (isSynchronized) {
                    code.aload(0).invokestatic(STEPS, "exit", OBJECT);
                }
                code.with(back);
            }
            case FieldInstruction field -> field(code, field);
            case InvokeInstruction call -> call(code, call);
            default -> code.with(element);
        }
    }

    private void monitor(CodeBuilder code, MonitorInstruction monitor) {
        if (has(Mutation.Kind.UNLOCKED)) {
            code.pop();
        } else {
            boolean isEntered = monitor.opcode() == Opcode.MONITORENTER;
            code.invokestatic(STEPS, isEntered ? "enter" : "exit", OBJECT);
        }
    }

    private void field(CodeBuilder code, FieldInstruction field) {
        int flags = loader.fieldFlags(field.owner().asInternalName(), field.name().stringValue());
        if (!isConstructor && (flags & ClassFile.ACC_FINAL) == 0) {
            boolean isVolatile = (flags & ClassFile.ACC_VOLATILE) != 0;
            boolean isWrite =
                    field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC;
            target(code, field);
            code.ldc(field.name().stringValue());
            String plain = isWrite ? "plainWrite" : "plainRead";
            code.invokestatic(STEPS, isVolatile ? "volatileAccess" : plain, OBJECT_NAME);
        }
        code.with(field);
    }

    /// Pushes the object whose field is accessed; for a static one, its class.
    private static void target(CodeBuilder code, FieldInstruction field) {
        boolean isWide = TypeKind.from(field.typeSymbol()).slotSize() == 2;
        switch (field.opcode()) {
            case GETFIELD -> code.dup();
            case PUTFIELD -> {
                if (isWide) {
                    code.dup2_x1().pop2().dup_x2();
                } else {
                    code.dup2().pop();
                }
            }
            default -> code.ldc(field.owner().asSymbol());
        }
    }

    private void call(CodeBuilder code, InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        String name = call.name().stringValue();
        String replacement = REPLACED.get(owner + '.' + name);
        boolean isStatic = call.opcode() == Opcode.INVOKESTATIC;
        if (replacement != null) {
            replace(code, call, replacement);
        } else if (has(Mutation.Kind.WITHOUT_INTEREST) && name.equals("setInterest")) {
            drop(code, call);
        } else if (isShared(owner) && !isStatic && call.opcode() != Opcode.INVOKESPECIAL) {
            hook(code, call, owner.endsWith("VarHandle"));
        } else {
            code.with(call);
        }
    }

    private static boolean isShared(String owner) {
        return owner.equals("java/lang/invoke/VarHandle")
                || owner.startsWith("java/util/concurrent/")
                || owner.startsWith("java/util/") && owner.lastIndexOf('/') == 9;
    }

    private void replace(CodeBuilder code, InvokeInstruction call, String replacement) {
        if (has(Mutation.Kind.WITHOUT_UNPARK) && replacement.equals("unpark")
                || has(Mutation.Kind.WITHOUT_NOTIFY) && replacement.equals("notifyAll")) {
            code.pop();
            return;
        }
        MethodTypeDesc type = call.typeSymbol();
        if (call.opcode() != Opcode.INVOKESTATIC) {
            boolean isThread = replacement.equals("start") || replacement.equals("interrupt");
            type = type.insertParameterTypes(0, isThread ? THREAD : ConstantDescs.CD_Object);
        }
        code.invokestatic(STEPS, replacement, type);
    }

    private static void drop(CodeBuilder code, InvokeInstruction call) {
        for (ClassDesc type : call.typeSymbol().parameterList().reversed()) {
            if (TypeKind.from(type).slotSize() == 2) {
                code.pop2();
            } else {
                code.pop();
            }
        }
        code.pop();
    }

    /// Calls the hook with the object that is called, or with the first argument, and then the
    /// method.
    private void hook(CodeBuilder code, InvokeInstruction call, boolean isFirstArgument) {
        var kinds = new ArrayList<TypeKind>();
        kinds.add(TypeKind.REFERENCE);
        call.typeSymbol().parameterList().forEach(type -> kinds.add(TypeKind.from(type)));
        int[] locals = new int[kinds.size()];
        for (int i = kinds.size() - 1; i >= 0; i--) {
            locals[i] = code.allocateLocal(kinds.get(i));
            code.storeLocal(kinds.get(i), locals[i]);
        }
        String name = call.name().stringValue();
        code.aload(locals[isFirstArgument ? 1 : 0])
                .ldc(name)
                .invokestatic(STEPS, "call", OBJECT_NAME);
        boolean isBlind = has(Mutation.Kind.BLIND) && name.equals(COMPARE_AND_SET);
        int expected = locals.length - 2;
        for (int i = 0; i < locals.length; i++) {
            if (!isBlind || i != expected) {
                code.loadLocal(kinds.get(i), locals[i]);
            }
        }
        if (isBlind) {
            setBlindly(code, call, expected - 1, isFirstArgument ? "setVolatile" : "set");
        } else {
            code.with(call);
        }
    }

    private static void setBlindly(
            CodeBuilder code, InvokeInstruction call, int expected, String setter) {
        MethodTypeDesc type =
                call.typeSymbol()
                        .dropParameterTypes(expected, expected + 1)
                        .changeReturnType(ConstantDescs.CD_void);
        code.invokevirtual(call.owner().asSymbol(), setter, type).iconst_1();
    }
}
