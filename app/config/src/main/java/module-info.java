/// A configuration file, or flags, become one value; that becomes a server.
module dev.tandem.config {
    requires transitive dev.tandem.cache;
    requires transitive dev.tandem.cgi;
    requires transitive dev.tandem.fastcgi;
    requires transitive dev.tandem.files;
    requires transitive dev.tandem.filters;
    requires transitive dev.tandem.logs;
    requires transitive dev.tandem.proxy;
    requires transitive dev.tandem.engine;
    requires transitive dev.tandem.upstream;
    requires org.tomlj;
    requires static transitive org.jspecify;

    exports dev.tandem.config;
}
