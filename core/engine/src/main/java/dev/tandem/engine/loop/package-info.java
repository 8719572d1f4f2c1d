/// Exchanges that continue on their event loop when their handler has returned.
@NullMarked
package dev.tandem.engine.loop;

import org.jspecify.annotations.NullMarked;
