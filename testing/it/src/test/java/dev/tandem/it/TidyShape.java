package dev.tandem.it;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import java.util.BitSet;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/// Looks at the tree of one file: length, nesting and parameters of methods, names of types. Marks
/// the lines of text blocks, which may be as long as what they hold.
final class TidyShape extends TreeScanner<Void, Void> {
    static final int METHOD_LINES_MAX = 70;
    static final int NESTING_MAX = 3;
    static final int PARAMETERS_MAX = 5;

    private static final Pattern BAD_TYPE_NAME =
            Pattern.compile("Abstract.*|.*(Manager|Helper|Util|Utils|Impl|Base|Info)");

    private static final String SYSTEM_CALLS = "/net/epoll/Linux.java";

    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final CharSequence source;
    private final BiConsumer<Long, String> complain;
    private final BitSet textBlockLines = new BitSet();
    private int depth;
    private boolean isInRecord;

    TidyShape(
            CompilationUnitTree unit,
            SourcePositions positions,
            CharSequence source,
            BiConsumer<Long, String> complain) {
        this.unit = unit;
        this.positions = positions;
        this.source = source;
        this.complain = complain;
    }

    BitSet textBlockLines() {
        return textBlockLines;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
        String name = type.getSimpleName().toString();
        if (BAD_TYPE_NAME.matcher(name).matches()) {
            complain.accept(line(type), "type name " + name + " says nothing");
        }
        for (Tree member : type.getMembers()) {
            if (member instanceof BlockTree initializer) {
                checkLength("an initializer", initializer);
            }
        }
        boolean wasInRecord = isInRecord;
        isInRecord = type.getKind() == Tree.Kind.RECORD;
        super.visitClass(type, unused);
        isInRecord = wasInRecord;
        return null;
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
        String name = method.getName().toString();
        if (method.getBody() != null && !isTable(method.getBody())) {
            checkLength(name, method.getBody());
        }
        int parameters = method.getParameters().size();
        if (parameters > PARAMETERS_MAX && !isExempt(method)) {
            complain.accept(
                    line(method),
                    name + " has " + parameters + " parameters, at most " + PARAMETERS_MAX);
        }
        int outer = depth;
        depth = 0;
        super.visitMethod(method, unused);
        depth = outer;
        return null;
    }

    /// One statement that returns, in a test.
    private boolean isTable(BlockTree body) {
        boolean isReturn =
                body.getStatements().size() == 1
                        && body.getStatements().getFirst().getKind() == Tree.Kind.RETURN;
        return isReturn && file().contains("/src/test/");
    }

    private String file() {
        return unit.getSourceFile().getName();
    }

    /// The reasons are in [Tidy#EXEMPTIONS].
    private boolean isExempt(MethodTree method) {
        boolean isSystemCall =
                file().endsWith(SYSTEM_CALLS) && method.getName().contentEquals("call");
        boolean isOverride =
                method.getModifiers().getAnnotations().stream()
                        .anyMatch(a -> a.getAnnotationType().toString().equals("Override"));
        boolean isOfRecord = isInRecord && method.getName().contentEquals("<init>");
        return isOverride || isOfRecord || isSystemCall;
    }

    private void checkLength(String name, BlockTree body) {
        long first = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, body));
        long last = unit.getLineMap().getLineNumber(positions.getEndPosition(unit, body));
        long lines = last - first + 1;
        if (lines > METHOD_LINES_MAX) {
            complain.accept(first, name + " has " + lines + " lines, at most " + METHOD_LINES_MAX);
        }
    }

    /// An `else if` is as deep as its `if`.
    @Override
    public Void visitIf(IfTree tree, Void unused) {
        enter(tree);
        scan(tree.getCondition(), null);
        scan(tree.getThenStatement(), null);
        if (tree.getElseStatement() instanceof IfTree chained) {
            depth--;
            scan(chained, null);
            return null;
        }
        scan(tree.getElseStatement(), null);
        depth--;
        return null;
    }

    @Override
    public Void visitForLoop(ForLoopTree tree, Void unused) {
        enter(tree);
        super.visitForLoop(tree, unused);
        depth--;
        return null;
    }

    @Override
    public Void visitEnhancedForLoop(EnhancedForLoopTree tree, Void unused) {
        enter(tree);
        super.visitEnhancedForLoop(tree, unused);
        depth--;
        return null;
    }

    @Override
    public Void visitWhileLoop(WhileLoopTree tree, Void unused) {
        enter(tree);
        super.visitWhileLoop(tree, unused);
        depth--;
        return null;
    }

    @Override
    public Void visitDoWhileLoop(DoWhileLoopTree tree, Void unused) {
        enter(tree);
        super.visitDoWhileLoop(tree, unused);
        depth--;
        return null;
    }

    @Override
    public Void visitSwitch(SwitchTree tree, Void unused) {
        enter(tree);
        super.visitSwitch(tree, unused);
        depth--;
        return null;
    }

    @Override
    public Void visitSwitchExpression(SwitchExpressionTree tree, Void unused) {
        enter(tree);
        super.visitSwitchExpression(tree, unused);
        depth--;
        return null;
    }

    @Override
    public Void visitTry(TryTree tree, Void unused) {
        enter(tree);
        super.visitTry(tree, unused);
        depth--;
        return null;
    }

    @Override
    public Void visitSynchronized(SynchronizedTree tree, Void unused) {
        enter(tree);
        super.visitSynchronized(tree, unused);
        depth--;
        return null;
    }

    @Override
    public Void visitLiteral(LiteralTree literal, Void unused) {
        long start = positions.getStartPosition(unit, literal);
        long end = positions.getEndPosition(unit, literal);
        if (start >= 0
                && source.subSequence((int) start, (int) end).toString().startsWith("\"\"\"")) {
            var lines = unit.getLineMap();
            textBlockLines.set(
                    (int) lines.getLineNumber(start), (int) lines.getLineNumber(end) + 1);
        }
        return null;
    }

    private void enter(Tree tree) {
        depth++;
        if (depth == NESTING_MAX + 1) {
            complain.accept(line(tree), "nested deeper than " + NESTING_MAX);
        }
    }

    private long line(Tree tree) {
        return unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
    }
}
