/// Test kit for handlers: a real server that a test starts and stops.
module dev.tandem.testkit.server {
    requires transitive dev.tandem.engine;
    requires transitive dev.tandem.testkit;
    requires org.junit.jupiter.api;
    requires static transitive org.jspecify;

    exports dev.tandem.testkit.server;

    uses dev.tandem.net.Network;
}
