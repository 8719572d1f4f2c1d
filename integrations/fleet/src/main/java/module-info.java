/// What an instance reports to load balancers, how it leaves them, and what it shares with the
/// other instances of its fleet.
module dev.tandem.fleet {
    requires transitive dev.tandem.engine;
    requires java.management;
    requires static transitive org.jspecify;

    exports dev.tandem.fleet;
}
