/// The bank, the shop and the support site of SPECweb2005 as a servlet application.
module dev.tandem.specweb {
    requires dev.tandem.workloads;
    requires transitive jakarta.servlet;
    requires jdk.httpserver;
    requires static transitive org.jspecify;

    exports dev.tandem.specweb;
}
