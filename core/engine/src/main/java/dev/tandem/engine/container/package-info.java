/// The interface of a servlet container to the engine, which takes the place of handlers.
@NullMarked
package dev.tandem.engine.container;

import org.jspecify.annotations.NullMarked;
