/// The connector for Apache Tomcat.
@NullMarked
package dev.tandem.tomcat;

import org.jspecify.annotations.NullMarked;
