/// FastCGI 1.0: requests to application servers such as php-fpm.
@NullMarked
package dev.tandem.fastcgi;

import org.jspecify.annotations.NullMarked;
