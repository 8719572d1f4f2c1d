/// Static files: a handler that serves a folder.
@NullMarked
package dev.tandem.files;

import org.jspecify.annotations.NullMarked;
