package dev.tandem.lab.bench;

import dev.tandem.http.Handler;
import dev.tandem.http.Router;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Finding a route among forty.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RouterBench {
    private final Router router = router();

    public RouterBench() {}

    @Benchmark
    public Router.Match literal() {
        return router.match("GET", "/things7/new");
    }

    @Benchmark
    public Router.Match parameters() {
        return router.match("GET", "/things7/42/parts/9");
    }

    @Benchmark
    public Router.Match rest() {
        return router.match("GET", "/static/css/site.css");
    }

    @Benchmark
    public Router.Match missing() {
        return router.match("GET", "/things7/42/none");
    }

    private static Router router() {
        Handler handler = x -> x.send("");
        Router.Builder routes = Router.builder().add("GET", "/static/{path...}", handler);
        for (int i = 0; i < 13; i++) {
            String things = "/things" + i;
            routes.add("GET", things + "/new", handler);
            routes.add("GET", things + "/{id}", handler);
            routes.add("GET", things + "/{id}/parts/{part}", handler);
        }
        return routes.build();
    }
}
