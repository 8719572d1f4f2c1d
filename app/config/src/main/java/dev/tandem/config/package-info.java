/// A configuration file, or flags, become one immutable value, checked once.
@NullMarked
package dev.tandem.config;

import org.jspecify.annotations.NullMarked;
