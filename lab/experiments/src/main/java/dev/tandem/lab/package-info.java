/// What Tandem is measured by.
@NullMarked
package dev.tandem.lab;

import org.jspecify.annotations.NullMarked;
