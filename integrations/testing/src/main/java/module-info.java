/// A server and a client for tests of applications, with JUnit 5 or 6, or without.
module dev.tandem.testing {
    requires transitive dev.tandem.engine;
    requires java.net.http;
    requires static transitive org.jspecify;
    requires static transitive org.junit.jupiter.api;

    exports dev.tandem.testing;

    uses dev.tandem.http.BodyMapper;
}
