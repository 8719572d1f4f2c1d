package dev.tandem.server;

import dev.tandem.http.MalformedMessage;
import dev.tandem.http.ParsedTarget;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.h1.Http1RequestHead;

/// What a request line turns out to lead to.
sealed interface Resolution permits Resolved, Resolution.Refused {

    /// Nowhere: its target is none.
    record Refused(MalformedMessage bad) implements Resolution {}

    /// Looks in the kit's cache first. The head then knows its target.
    static Resolution of(Http1RequestHead head, IoContext kit, boolean isSecure) {
        Site site = kit.site(head).over(isSecure);
        TargetCache targets = kit.targets(site);
        Resolved known = head.isHttp09() ? null : targets.find(head);
        if (known != null) {
            head.target(known.target());
            return known;
        }
        return switch (parsed(head, kit)) {
            case ParsedTarget.Invalid(MalformedMessage bad) -> new Refused(bad);
            case RequestTarget target -> {
                head.target(target);
                String authority = target.authority();
                if (authority != null) { // which goes before Host (RFC 9112, section 3.2.2)
                    Site meant = kit.engine().hosts().named(authority).over(isSecure);
                    yield meant.resolve(head.method(), target);
                }
                Resolved resolved = site.resolve(head.method(), target);
                boolean isKnown = !resolved.route().pattern().equals(Container.NOT_KNOWN_YET);
                if (isKnown && !head.isHttp09()) {
                    targets.put(head, resolved);
                }
                yield resolved;
            }
        };
    }

    private static ParsedTarget parsed(Http1RequestHead head, IoContext kit) {
        byte[] bytes = head.bytes();
        int from = head.targetFrom();
        int to = head.targetTo();
        return kit.engine().options().areAmbiguousPathsTaken()
                ? RequestTarget.parseLenient(head.method(), bytes, from, to)
                : RequestTarget.parse(head.method(), bytes, from, to);
    }
}
