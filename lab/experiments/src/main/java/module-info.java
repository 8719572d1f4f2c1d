/// Targets, experiments and their reports.
module dev.tandem.lab {
    requires com.github.luben.zstd_jni;
    requires com.zaxxer.hikari;
    requires freemarker;
    requires transitive dev.tandem.bookstore;
    requires dev.tandem.pagecache;
    requires dev.tandem.cgi;
    requires dev.tandem.fastcgi;
    requires dev.tandem.files;
    requires transitive dev.tandem.lab.chart;
    requires dev.tandem.load;
    requires dev.tandem.logs;
    requires dev.tandem.proxy;
    requires dev.tandem.trace;
    requires dev.tandem.workloads;
    requires io.netty.buffer;
    requires io.netty.handler;
    requires java.management;
    requires java.net.http;
    requires java.sql;
    requires transitive dev.tandem.engine;
    requires static dev.tandem.tomcat;
    requires static org.apache.tomcat.embed.websocket;
    requires static transitive org.jspecify;

    uses dev.tandem.pagecache.PageCodec;

    exports dev.tandem.lab;
    exports dev.tandem.lab.papers;

    // Catalina makes the store by its name.
    opens dev.tandem.lab.sessions;
}
