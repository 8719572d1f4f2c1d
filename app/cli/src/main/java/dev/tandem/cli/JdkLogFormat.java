package dev.tandem.cli;

/// Formats the JDK's log on standard error with one line per message, where its own format has two.
/// Any format that the user has configured is kept.
final class JdkLogFormat {
    /// Date, time, severity, message, stack trace: as in Tandem's own log.
    static final String FORM = "%1$tFT%1$tT.%1$tL%1$tz %4$s %5$s%6$s%n";

    static final String FORM_PROPERTY = "java.util.logging.SimpleFormatter.format";
    static final String FILE_PROPERTY = "java.util.logging.config.file";
    private static final String CLASS_PROPERTY = "java.util.logging.config.class";

    private JdkLogFormat() {}

    /// Must be called before anything is logged.
    static void configure() {
        boolean isConfigured =
                System.getProperty(FORM_PROPERTY) != null
                        || System.getProperty(FILE_PROPERTY) != null
                        || System.getProperty(CLASS_PROPERTY) != null;
        if (!isConfigured) {
            System.setProperty(FORM_PROPERTY, FORM);
        }
    }
}
