/// The auction site of RUBiS as a servlet application: runs in any servlet container of Jakarta EE
/// 11.
module dev.tandem.auction {
    requires com.zaxxer.hikari;
    requires gg.jte.runtime;
    requires transitive jakarta.servlet;
    requires static jakarta.websocket;
    requires transitive java.sql;
    requires static transitive org.jspecify;

    exports dev.tandem.auction;
}
