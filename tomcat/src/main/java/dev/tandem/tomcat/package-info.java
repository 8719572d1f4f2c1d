/// The connector for Apache Tomcat.
@org.jspecify.annotations.NullMarked
package dev.tandem.tomcat;
