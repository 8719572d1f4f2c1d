/// An ordinary application: REST, JDBC, JPA, templates, sessions. Nothing in it refers to Tandem.
@NullMarked
package dev.tandem.spring.sample;

import org.jspecify.annotations.NullMarked;
