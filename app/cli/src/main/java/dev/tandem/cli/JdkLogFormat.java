package dev.tandem.cli;

/// What is logged is a line on the standard error, where the JDK's own form has two. Whoever has
/// said how logging is to be done keeps that.
final class JdkLogFormat {
    /// Date, time, severity, message, trace: as our own.
    static final String FORM = "%1$tFT%1$tT.%1$tL%1$tz %4$s %5$s%6$s%n";

    static final String FORM_PROPERTY = "java.util.logging.SimpleFormatter.format";
    static final String FILE_PROPERTY = "java.util.logging.config.file";
    private static final String CLASS_PROPERTY = "java.util.logging.config.class";

    private JdkLogFormat() {}

    /// Before anything is logged.
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
