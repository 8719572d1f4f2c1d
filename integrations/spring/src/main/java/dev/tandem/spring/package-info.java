/// The starter for Spring Boot: its embedded Tomcat with the Tandem connector.
@NullMarked
package dev.tandem.spring;

import org.jspecify.annotations.NullMarked;
