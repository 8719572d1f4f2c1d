/// The `tandem` command.
module dev.tandem.cli {
    requires dev.tandem.pagecache;
    requires dev.tandem.cgi;
    requires dev.tandem.files;
    requires dev.tandem.logs;
    requires dev.tandem.trace;
    requires java.logging;
    requires transitive dev.tandem.config;
    requires transitive dev.tandem.engine;
    requires static dev.tandem.tomcat;
    requires static transitive org.jspecify;

    exports dev.tandem.cli;
    exports dev.tandem.cli.command;
    exports dev.tandem.cli.serving;

    uses dev.tandem.cli.CommandProvider;
}
