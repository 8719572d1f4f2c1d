/// An application that has only what it needs on its class path.
@NullMarked
package dev.tandem.spring.plain;

import org.jspecify.annotations.NullMarked;
