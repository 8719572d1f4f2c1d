package dev.tandem.structure;

import com.puppycrawl.tools.checkstyle.Checker;
import com.puppycrawl.tools.checkstyle.ConfigurationLoader;
import com.puppycrawl.tools.checkstyle.PropertiesExpander;
import com.puppycrawl.tools.checkstyle.api.AuditEvent;
import com.puppycrawl.tools.checkstyle.api.AuditListener;
import com.puppycrawl.tools.checkstyle.api.CheckstyleException;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Runs Checkstyle with the project's `checkstyle.xml`.
public final class Style {
    private final Path root;

    /// @param root of the checkout
    public Style(Path root) {
        this.root = root;
    }

    /// Returns the violations in these files, each as `path:line: message`. A Checkstyle of its own
    /// for each processor checks a part of them.
    ///
    /// @throws IllegalStateException a file does not parse, or the configuration is wrong
    public List<String> violations(List<Path> files) {
        int parts = Runtime.getRuntime().availableProcessors();
        return IntStream.range(0, parts)
                .parallel()
                .mapToObj(part -> violationsIn(part(files, part, parts)))
                .flatMap(List::stream)
                .toList();
    }

    /// Every file whose place in the list has this remainder: parts of the same size.
    private static List<Path> part(List<Path> files, int part, int parts) {
        return IntStream.range(0, files.size())
                .filter(i -> i % parts == part)
                .mapToObj(files::get)
                .toList();
    }

    private List<String> violationsIn(List<Path> files) {
        var checker = new Checker();
        try {
            checker.setModuleClassLoader(Checker.class.getClassLoader());
            checker.configure(
                    ConfigurationLoader.loadConfiguration(
                            root.resolve("checkstyle.xml").toString(),
                            new PropertiesExpander(new Properties())));
            var violations = new Violations();
            checker.addListener(violations);
            checker.process(files.stream().map(Path::toFile).toList());
            return violations.found;
        } catch (CheckstyleException e) {
            throw new IllegalStateException(e);
        } finally {
            checker.destroy();
        }
    }

    private final class Violations implements AuditListener {
        private final List<String> found = new ArrayList<>();

        @Override
        public void addError(AuditEvent event) {
            add(event, event.getMessage());
        }

        @Override
        public void addException(AuditEvent event, Throwable error) {
            add(event, error.toString());
        }

        private void add(AuditEvent event, @Nullable String message) {
            Path file = new File(event.getFileName()).toPath();
            Path shown = file.startsWith(root) ? root.relativize(file) : file.getFileName();
            found.add(shown + ":" + event.getLine() + ": " + message);
        }

        @Override
        public void auditStarted(AuditEvent event) {}

        @Override
        public void auditFinished(AuditEvent event) {}

        @Override
        public void fileStarted(AuditEvent event) {}

        @Override
        public void fileFinished(AuditEvent event) {}
    }
}
