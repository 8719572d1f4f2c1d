/// The starter for Spring Boot: its embedded Tomcat with the Tandem connector. Spring Boot runs on
/// the class path; the module descriptor is checked nevertheless.
module dev.tandem.spring {
    requires transitive dev.tandem.tomcat;
    requires transitive dev.tandem.database;
    requires dev.tandem.fleet;
    requires dev.tandem.observe;
    requires java.sql;
    requires spring.aop;
    requires spring.beans;
    requires spring.boot;
    requires spring.boot.autoconfigure;
    requires spring.boot.tomcat;
    requires spring.boot.web.server;
    requires spring.context;
    requires spring.core;
    requires static micrometer.core;
    requires static spring.boot.health;
    requires static spring.boot.jdbc;
    requires static spring.boot.micrometer.metrics;
    requires static spring.boot.webmvc;
    requires static spring.jdbc;
    requires static spring.web;
    requires static spring.webmvc;
    requires static transitive org.jspecify;

    exports dev.tandem.spring;
}
