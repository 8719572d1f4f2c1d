/// Checks of the project's structure: layers, dependency cycles, public types, style of sources.
@NullMarked
package dev.tandem.structure;

import org.jspecify.annotations.NullMarked;
