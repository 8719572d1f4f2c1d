package dev.tandem.it;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// Checks one source file against the rules of CONTRIBUTING.md that a machine can check.
///
/// @param path what to call the file in complaints
/// @param source its text
record Tidy(String path, String source) {
    static final int FILE_LINES_MAX = 600;
    static final int COLUMNS_MAX = 100;

    /// What the rules let pass, and why.
    static final List<String> EXEMPTIONS =
            List.of(
                    "length: a table in a test, a body that only returns; it is data, no flow",
                    "parameters: a method that overrides; its signature is another's",
                    "parameters: Linux.call; a system call has up to six arguments",
                    "parameters: a record's constructor; its arguments are named as components",
                    "columns: imports; they are not read, and must not be broken",
                    "columns: text blocks; their lines are as long as what they hold");

    /// Put together here, so that this file does not complain of itself.
    private static final Pattern BANNED = Pattern.compile("\\b(FIX" + "ME|X" + "XX)\\b");

    private static final Pattern TO_DO = Pattern.compile("\\bTO" + "DO\\b(?!\\(#[0-9]+\\))");

    /// Each as `path:line: what is wrong`.
    ///
    /// @throws IOException never: the source is in memory
    List<String> complaints() throws IOException {
        return complaints(List.of(this));
    }

    /// Those of many files: the compiler starts once for all of them.
    ///
    /// @throws IOException never: the sources are in memory
    static List<String> complaints(List<Tidy> files) throws IOException {
        var complaints = new ArrayList<String>();
        var diagnostics = new DiagnosticCollector<JavaFileObject>();
        var compiler = ToolProvider.getSystemJavaCompiler();
        var options = List.of("-proc:none");
        var sources = files.stream().map(InMemory::new).toList();
        var byPlace = new HashMap<URI, Tidy>(); // javac wraps what it is given
        sources.forEach(source -> byPlace.put(source.toUri(), source.file));
        var task = (JavacTask) compiler.getTask(null, null, diagnostics, options, null, sources);
        var positions = Trees.instance(task).getSourcePositions();
        for (CompilationUnitTree unit : task.parse()) {
            Tidy file = byPlace.get(unit.getSourceFile().toUri());
            var shape =
                    new TidyShape(
                            unit,
                            positions,
                            file.source,
                            (line, what) -> file.add(complaints, line, what));
            shape.scan(unit, null);
            file.checkLines(complaints, shape.textBlockLines());
        }
        for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
            if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                Tidy file = byPlace.get(diagnostic.getSource().toUri());
                file.add(complaints, diagnostic.getLineNumber(), "does not parse");
            }
        }
        return complaints;
    }

    private void checkLines(List<String> complaints, BitSet textBlockLines) {
        List<String> lines = source.lines().toList();
        if (lines.size() > FILE_LINES_MAX) {
            add(
                    complaints,
                    lines.size(),
                    "file has " + lines.size() + " lines, at most " + FILE_LINES_MAX);
        }
        boolean isInDoc = false;
        for (int number = 1; number <= lines.size(); number++) {
            String line = lines.get(number - 1);
            if (isInDoc && line.strip().startsWith("// ")) {
                add(complaints, number, "a doc comment was broken by the formatter");
            }
            isInDoc = line.strip().startsWith("///");
            boolean mayBeLong = line.startsWith("import ") || textBlockLines.get(number);
            if (line.codePointCount(0, line.length()) > COLUMNS_MAX && !mayBeLong) {
                add(complaints, number, "longer than " + COLUMNS_MAX + " columns");
            }
            if (line.indexOf('\t') >= 0) {
                add(complaints, number, "has a tab");
            }
            if (BANNED.matcher(line).find()) {
                add(complaints, number, "has a banned word");
            }
            if (TO_DO.matcher(line).find()) {
                add(complaints, number, "puts work off without an issue's number, as in (#12)");
            }
        }
    }

    private void add(List<String> complaints, long line, String what) {
        complaints.add(path + ":" + line + ": " + what);
    }

    private static final class InMemory extends SimpleJavaFileObject {
        private final Tidy file;

        InMemory(Tidy file) {
            super(URI.create("string:///" + file.path), Kind.SOURCE);
            this.file = file;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return file.source;
        }
    }
}
