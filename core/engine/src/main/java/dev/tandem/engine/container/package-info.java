/// What a servlet container implements and uses in place of handlers.
@NullMarked
package dev.tandem.engine.container;

import org.jspecify.annotations.NullMarked;
