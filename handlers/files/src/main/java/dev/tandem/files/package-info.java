/// A folder of files as a handler.
@NullMarked
package dev.tandem.files;

import org.jspecify.annotations.NullMarked;
