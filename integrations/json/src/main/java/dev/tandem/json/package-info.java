/// Bodies as objects, by Jackson or Gson.
@NullMarked
package dev.tandem.json;

import org.jspecify.annotations.NullMarked;
