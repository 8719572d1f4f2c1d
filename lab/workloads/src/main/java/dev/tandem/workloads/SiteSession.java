package dev.tandem.workloads;

import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.random.RandomGenerator;

/// One session of a [SiteModel]. Confined to one thread.
final class SiteSession implements Iterator<PageView> {
    private static final double NANOS_A_SECOND = 1e9;

    private final SiteModel model;
    private final RandomGenerator random;
    private final PageWalk walk;
    private final double staySeconds;
    private double thoughtSeconds;
    private int pagesLeft;
    private boolean isFirst = true;

    /// Empty at the end: no page has an empty name.
    private String page;

    SiteSession(SiteModel model, RandomGenerator random) {
        this.model = model;
        this.random = random;
        this.walk = new PageWalk(model.graph(), random);
        var stay = model.end().stay();
        this.staySeconds = stay == null ? Double.POSITIVE_INFINITY : stay.sample(random);
        this.pagesLeft = model.end().pagesMax();
        this.page = walk.next();
    }

    @Override
    public boolean hasNext() {
        return !page.isEmpty();
    }

    @Override
    public PageView next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the session is over");
        }
        var known = model.page(page);
        boolean isThinking = !isFirst && known.isThoughtAbout();
        double seconds = isThinking ? model.think().sample(random) : 0;
        thoughtSeconds += seconds;
        var think = Duration.ofNanos(Math.round(seconds * NANOS_A_SECOND));
        var main = new Fetch(page, -1, Duration.ZERO, 0);
        var view = new PageView(think, page, main, known.embedded());
        isFirst = false;
        pagesLeft--;
        page = following();
        return view;
    }

    private String following() {
        if (pagesLeft == 0 || !walk.hasNext()) {
            return "";
        }
        String following = walk.next();
        boolean isLeaving =
                thoughtSeconds >= staySeconds && following.equals(model.graph().start());
        return isLeaving ? "" : following;
    }
}
