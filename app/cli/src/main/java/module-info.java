/// The `tandem` command.
module dev.tandem.cli {
    requires dev.tandem.bookstore;
    requires dev.tandem.cache;
    requires dev.tandem.cgi;
    requires dev.tandem.config;
    requires dev.tandem.files;
    requires dev.tandem.lab;
    requires dev.tandem.load;
    requires dev.tandem.logs;
    requires dev.tandem.server;
    requires dev.tandem.staged;
    requires dev.tandem.trace;
    requires java.logging;
    requires java.management;
    requires static dev.tandem.tomcat;
    requires static transitive org.jspecify;
}
