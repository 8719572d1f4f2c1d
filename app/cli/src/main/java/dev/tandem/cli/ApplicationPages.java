package dev.tandem.cli;

import dev.tandem.cli.command.Arguments;
import dev.tandem.config.PageCacheSettings;
import dev.tandem.pagecache.PageCache;
import dev.tandem.tomcat.Applications;
import org.jspecify.annotations.Nullable;

/// The page cache for files of applications that run under Catalina: none, unless a flag or the
/// file says so.
///
/// @param pages closed with this
record ApplicationPages(@Nullable PageCache pages) implements AutoCloseable {

    /// @throws dev.tandem.cli.command.Failure if a flag is wrong
    static ApplicationPages open(Arguments arguments) {
        return new ApplicationPages(
                PageCacheFlag.settings(arguments)
                        .or(FleetMember.file(arguments)::pageCache)
                        .map(PageCacheSettings::open)
                        .orElse(null));
    }

    void addTo(Applications site) {
        if (pages != null) {
            site.setFileCache(pages);
        }
    }

    @Override
    public void close() {
        if (pages != null) {
            pages.close();
        }
    }
}
