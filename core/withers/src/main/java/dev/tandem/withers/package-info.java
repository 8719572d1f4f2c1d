/// An annotation processor of the build; no part of the product.
@NullMarked
package dev.tandem.withers;

import org.jspecify.annotations.NullMarked;
