/// The laboratory that measures Tandem.
@NullMarked
package dev.tandem.lab;

import org.jspecify.annotations.NullMarked;
