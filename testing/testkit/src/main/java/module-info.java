/// What tests are made of. Shares no code with the product.
module dev.tandem.testkit {
    requires java.compiler;
    requires java.logging;
    requires java.net.http;
    requires java.sql;
    requires static transitive org.jspecify;

    exports dev.tandem.testkit;
    exports dev.tandem.testkit.interleave;
}
