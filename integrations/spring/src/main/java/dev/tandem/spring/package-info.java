/// The starter for Spring Boot: its embedded Tomcat with our connector.
@NullMarked
package dev.tandem.spring;

import org.jspecify.annotations.NullMarked;
