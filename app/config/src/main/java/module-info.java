/// Reads a configuration from a file or flags into one immutable value, and starts a server with
/// it.
module dev.tandem.config {
    requires transitive dev.tandem.pagecache;
    requires transitive dev.tandem.acme;
    requires transitive dev.tandem.cgi;
    requires transitive dev.tandem.fastcgi;
    requires transitive dev.tandem.files;
    requires transitive dev.tandem.filters;
    requires transitive dev.tandem.fleet;
    requires transitive dev.tandem.logs;
    requires transitive dev.tandem.proxy;
    requires transitive dev.tandem.engine;
    requires transitive dev.tandem.upstream;
    requires org.tomlj;
    requires static transitive org.jspecify;

    exports dev.tandem.config;
}
