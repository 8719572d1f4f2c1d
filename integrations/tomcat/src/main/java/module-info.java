/// The connector for Apache Tomcat: Catalina on the Tandem engine.
module dev.tandem.tomcat {
    requires java.logging;
    requires java.management;
    requires java.sql;
    requires transitive dev.tandem.engine;
    requires transitive dev.tandem.files;
    requires transitive org.apache.tomcat.embed.core;
    requires static transitive org.jspecify;

    exports dev.tandem.tomcat;

    provides jakarta.servlet.ServletContainerInitializer with
            dev.tandem.tomcat.StaticFileInitializer;
}
