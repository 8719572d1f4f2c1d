/// Exchanges by method calls: no socket, no loop, no admission. For tests of applications.
@NullMarked
package dev.tandem.engine.memory;

import org.jspecify.annotations.NullMarked;
