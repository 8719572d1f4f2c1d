/// An application as anybody's: REST, JDBC, JPA, templates, sessions. Nothing in it is of
/// Tandem.
@NullMarked
package dev.tandem.spring.sample;

import org.jspecify.annotations.NullMarked;
