package dev.tandem.workloads;

/// A body, and a tail that begins where the body ends.
///
/// @param bodyShare the share of values from the body; 0 to 1
/// @param body has no value above the least one of the tail
public record Spliced(double bodyShare, Distribution body, Distribution tail)
        implements Distribution {

    public Spliced {
        Checks.share("bodyShare", bodyShare);
        if (body.quantile(1) > tail.quantile(0)) {
            throw new IllegalArgumentException(
                    "body must end where tail begins, at "
                            + tail.quantile(0)
                            + "; it ends at "
                            + body.quantile(1));
        }
    }

    @Override
    public double cdf(double x) {
        return bodyShare * body.cdf(x) + (1 - bodyShare) * tail.cdf(x);
    }

    @Override
    public double quantile(double p) {
        return Checks.share("p", p) < bodyShare || bodyShare == 1
                ? body.quantile(p / bodyShare)
                : tail.quantile((p - bodyShare) / (1 - bodyShare));
    }

    @Override
    public double mean() {
        return bodyShare * body.mean() + (1 - bodyShare) * tail.mean();
    }
}
