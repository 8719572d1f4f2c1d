package dev.tandem.pagecache;

/// An engine of this module that takes pages without delay: [#submit(List)] copies their content,
/// and waits for nothing but another call. So the cache calls it on the thread that has the pages,
/// without a copy of its own.
interface PromptEngine extends CompressionEngine {}
