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
import org.jspecify.annotations.Nullable;

/// Runs Checkstyle with the project's `checkstyle.xml`.
public final class Style {
    private final Path root;

    /// @param root of the checkout
    public Style(Path root) {
        this.root = root;
    }

    /// Returns the violations in these files, each as `path:line: message`.
    ///
    /// @throws CheckstyleException a file does not parse, or the configuration is wrong
    public List<String> violations(List<Path> files) throws CheckstyleException {
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
