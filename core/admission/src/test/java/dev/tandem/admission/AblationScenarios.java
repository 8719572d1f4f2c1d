package dev.tandem.admission;

import static dev.tandem.admission.VirtualServer.MILLI;
import static dev.tandem.admission.VirtualServer.SECOND;

import dev.tandem.testkit.Latencies;
import dev.tandem.testkit.Simulation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;

/// The scenarios that the table of constants is measured with, in virtual time. Called by
/// reflection through another class loader for each variant ([ConstantsTable]), so that only types
/// of the JDK are exchanged.
public final class AblationScenarios {
    private static final Map<String, LongFunction<double[]>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("overload", AblationScenarios::overload);
        ALL.put("one-time", AblationScenarios::oneTime);
        ALL.put("pages", AblationScenarios::pages);
        ALL.put("slow pages", AblationScenarios::slowPages);
        ALL.put("mix", AblationScenarios::mix);
        ALL.put("registrations", AblationScenarios::registrations);
        ALL.put("workload changes", AblationScenarios::workloadChanges);
        ALL.put("worker search", seed -> search(seed, true));
        ALL.put("trials alone", seed -> search(seed, false));
        ALL.put("bulk client", AblationScenarios::bulkClient);
        ALL.put("endless sessions", AblationScenarios::endlessSessions);
        ALL.put("stuck handlers", AblationScenarios::stuckHandlers);
        ALL.put("cold burst", AblationScenarios::coldBurst);
        ALL.put("handshake storm", seed -> new HandshakeScenario(seed).run());
        ALL.put("database", seed -> new DatabaseScenario(8, seed).run());
        ALL.put("small database", seed -> new DatabaseScenario(2, seed).run());
    }

    private AblationScenarios() {}

    /// Sets constants of classes that are loaded later.
    ///
    /// @param overrides names and values of constants that differ from their defaults
    public static void override(Map<String, Double> overrides) {
        Tuning.override(name -> overrides.getOrDefault(name, Double.NaN));
    }

    /// Returns the constants of the classes that scenarios have used, with their values.
    public static Map<String, Double> constants() {
        return Tuning.declared();
    }

    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /// Returns the completed sessions or responses, the 99th percentile in milliseconds, the
    /// rejections, and the number of workers where the scenario is about it.
    public static double[] run(String scenario, long seed) {
        return Objects.requireNonNull(ALL.get(scenario)).apply(seed);
    }

    private static double[] result(VirtualServer server, double completed) {
        return new double[] {completed, server.latencies.millis(0.99), server.rejected};
    }

    /// Twice the sessions that four processors can serve.
    private static double[] overload(long seed) {
        var simulation = new Simulation(seed);
        var server = new VirtualServer(simulation, 4, Limits.of(4));
        long end = 50 * SECOND;
        server.countFrom = 15 * SECOND;
        server.tickUntil(end);
        var plan = Plan.computing("GET /compute", 10);
        var crowd = new SessionClients(server, plan, 20, SECOND);
        simulation.poisson(_ -> 40, end, crowd::connect);
        simulation.runUntil(end);
        return result(server, crowd.completed);
    }

    /// Four times the load that four processors can serve; each client sends a single request.
    private static double[] oneTime(long seed) {
        var simulation = new Simulation(seed);
        var server = new VirtualServer(simulation, 4, Limits.of(4));
        long end = 20 * SECOND;
        server.countFrom = 5 * SECOND;
        server.tickUntil(end);
        var plan = Plan.computing("GET /compute", 10);
        simulation.poisson(
                _ -> 1_600,
                end,
                () ->
                        server.connect(
                                () -> {
                                    var once = new Session();
                                    server.send(
                                            plan, once, _ -> server.admission.closeSession(once));
                                }));
        simulation.runUntil(end);
        return result(server, server.completed);
    }

    /// Sessions of six pages with twenty parts each, at twice what one processor serves.
    private static double[] pages(long seed) {
        var simulation = new Simulation(seed);
        var server = new VirtualServer(simulation, 1, Limits.of(1));
        long end = 25 * SECOND;
        server.countFrom = 10 * SECOND;
        server.tickUntil(end);
        var reader = new PageReaders(server, 120);
        simulation.poisson(_ -> 310.0 / 6, end, () -> reader.read(new Session(), 120));
        simulation.runUntil(end);
        return result(server, reader.completed);
    }

    private static final class PageReaders {
        private static final int PARTS = 20;
        private final Plan page = Plan.computing("GET /page", 4.5);
        private final Plan picture = Plan.computing("GET /picture", 0.1);
        private final VirtualServer server;
        private final int all;
        int completed;

        PageReaders(VirtualServer server, int all) {
            this.server = server;
            this.all = all;
        }

        void read(Session session, int left) {
            server.send(
                    left % PARTS == 0 ? page : picture,
                    session,
                    isCompleted -> {
                        Simulation simulation = server.simulation;
                        if (isCompleted && left > 1) {
                            boolean isRead = left % PARTS == 1;
                            long think = isRead ? simulation.exponential(SECOND) : 0;
                            simulation.after(think, () -> read(session, left - 1));
                            return;
                        }
                        server.admission.closeSession(session);
                        boolean isCounted = simulation.nanos() > server.countFrom;
                        completed += isCompleted && isCounted && left <= all ? 1 : 0;
                    });
        }
    }

    /// The server can do five pages a second; twice as many are requested.
    private static double[] slowPages(long seed) {
        var simulation = new Simulation(seed);
        var server = new VirtualServer(simulation, 1, Limits.of(1));
        long end = 400 * SECOND;
        server.countFrom = 40 * SECOND;
        server.tickUntil(end);
        var crowd = new SessionClients(server, Plan.computing("GET /slow", 200), 20, SECOND);
        simulation.poisson(_ -> 0.5, end, crowd::connect);
        simulation.runUntil(end);
        return result(server, crowd.completed);
    }

    /// Nine quick requests for one lengthy one, one and a half times what 64 workers can do, on a
    /// machine that stalls for up to 30 ms at a time.
    private static double[] mix(long seed) {
        var simulation = new Simulation(seed);
        var server = new VirtualServer(simulation, 1, new Limits(1, 64));
        long end = 24 * SECOND;
        var mix =
                new MixedClients(
                        server,
                        Plan.waiting("GET /quick", 20),
                        Plan.waiting("GET /lengthy", 400),
                        true);
        mix.countFrom = 8 * SECOND;
        server.tickUntil(end);
        simulation.poisson(_ -> 1.5 * 64 / 0.058, end, mix::send);
        simulation.every(
                400 * MILLI,
                end,
                () -> {
                    server.processors.taken(0.97);
                    long back = (long) (simulation.uniform() * 30 * MILLI);
                    simulation.after(back, () -> server.processors.taken(0));
                });
        simulation.runUntil(end);
        return new double[] {
            mix.lengthyCompleted, mix.quickLatencies.millis(0.99), mix.quickRejected
        };
    }

    /// Pages and pictures, and registrations that compute for 100 ms, on one processor.
    private static double[] registrations(long seed) {
        var simulation = new Simulation(seed);
        var server = new VirtualServer(simulation, 1, Limits.of(1));
        long end = 40 * SECOND;
        server.countFrom = 10 * SECOND;
        server.tickUntil(end);
        var pages = new Latencies();
        var registered = new AtomicInteger();
        Plan register = Plan.computing("POST /register", 100);
        Plan picture = Plan.computing("GET /picture", 0.2);
        Plan page = Plan.computing("GET /page", 2);
        simulation.poisson(
                _ -> 100, end, () -> server.send(picture, server.nextSession(), _ -> {}));
        simulation.poisson(
                _ -> 5,
                end,
                () ->
                        server.send(
                                register,
                                server.nextSession(),
                                isCompleted -> registered.addAndGet(isCompleted ? 1 : 0)));
        simulation.poisson(
                _ -> 100,
                end,
                () -> {
                    long sentAt = simulation.nanos();
                    server.send(
                            page,
                            server.nextSession(),
                            _ -> {
                                if (sentAt > server.countFrom) {
                                    pages.add(simulation.nanos() - sentAt);
                                }
                            });
                });
        simulation.runUntil(end);
        return new double[] {registered.get(), pages.millis(0.99), server.rejected};
    }

    /// 300 busy clients whose requests compute, then wait, then compute.
    private static double[] workloadChanges(long seed) {
        var simulation = new Simulation(seed);
        var server = new VirtualServer(simulation, 2, Limits.of(2));
        long end = 36 * SECOND;
        server.tickUntil(end);
        var computing = Plan.mixed("GET /", 2, 0);
        var waiting = new Plan("GET /", 0.05 * MILLI, 200 * MILLI, true);
        var crowd =
                new BusyClients(
                        server,
                        300,
                        () -> simulation.nanos() / (12 * SECOND) == 1 ? waiting : computing,
                        end);
        simulation.runUntil(end);
        double share =
                crowd.rate(2, 12) / 1_000 + crowd.rate(12, 24) / 1_000 + crowd.rate(24, 36) / 1_000;
        return new double[] {1_000 * share, server.latencies.millis(0.99), server.rejected};
    }

    /// The first 20 seconds of 300 busy clients whose requests compute, or compute and wait, or
    /// wait, on one to four processors, of which other processes use up to a half at times.
    private static double[] search(long seed, boolean reportsProcessorTimes) {
        Plan[] plans = {
            Plan.mixed("GET /", 1, 0),
            Plan.mixed("GET /", 0.5, 20),
            Plan.mixed("GET /", 2, 50),
            Plan.mixed("GET /", 0.05, 200)
        };
        int[] processors = {1, 2, 4, 1};
        double[] sums = new double[4];
        for (int i = 0; i < plans.length; i++) {
            Plan plan = plans[i];
            var server =
                    new VirtualServer(
                            new Simulation(seed), processors[i], Limits.of(processors[i]));
            server.reportsProcessorTimes = reportsProcessorTimes;
            long end = 20 * SECOND;
            server.tickUntil(end);
            server.simulation.every(
                    300 * MILLI,
                    end,
                    () -> {
                        boolean isTaken = server.simulation.uniform() < 0.3;
                        double part = server.simulation.uniform() / 2;
                        server.processors.taken(isTaken ? part : 0);
                    });
            var crowd = new BusyClients(server, 300, () -> plan, end);
            server.simulation.runUntil(end);
            double best =
                    Math.min(
                            processors[i] * 1e9 / plan.computeNanos(),
                            200e9 / (plan.computeNanos() + plan.waitNanos()));
            sums[0] += 1_000 * crowd.rate(1, 20) / best;
            sums[1] += server.latencies.millis(0.99);
            sums[2] += server.rejected;
            sums[3] += crowd.workersAt(19);
        }
        return sums;
    }

    /// One session on 400 connections without think time, besides other sessions and clients with a
    /// single request.
    private static double[] bulkClient(long seed) {
        var crowd = new ClientsAndOthers(seed);
        Session one = crowd.proven();
        return crowd.run(400, i -> one);
    }

    /// 60 sessions that never end use all that the server can do, each within its share.
    private static double[] endlessSessions(long seed) {
        var crowd = new ClientsAndOthers(seed);
        var proven = new ArrayList<Session>();
        for (int i = 0; i < 60; i++) {
            crowd.simulation.after(i * 3 * MILLI, () -> proven.add(crowd.proven()));
        }
        crowd.simulation.runUntil(SECOND);
        return crowd.run(400, i -> proven.get((int) (i % 60)));
    }

    private static final class ClientsAndOthers {
        private static final long END = 25 * SECOND;
        private final Plan page = Plan.computing("GET /page", 2);
        final Simulation simulation;
        private final VirtualServer server;
        private final SessionClients sessions;
        private int single;

        ClientsAndOthers(long seed) {
            simulation = new Simulation(seed);
            server = new VirtualServer(simulation, 1, Limits.of(1));
            sessions = new SessionClients(server, page, 20, SECOND);
        }

        Session proven() {
            var session = new Session();
            server.send(page, session, _ -> {});
            return session;
        }

        double[] run(int connections, LongFunction<Session> sessionOf) {
            server.countFrom = 8 * SECOND;
            server.tickUntil(END);
            simulation.poisson(_ -> 2, END, sessions::connect);
            simulation.poisson(
                    _ -> 50,
                    END,
                    () -> {
                        var session = new Session();
                        server.send(
                                page,
                                session,
                                isCompleted -> {
                                    server.admission.closeSession(session);
                                    single += isCompleted ? 1 : 0;
                                });
                    });
            for (int i = 0; i < connections; i++) {
                Session session = sessionOf.apply(i);
                simulation.after(
                        4 * SECOND + (long) (simulation.uniform() * 1e8), () -> sendAgain(session));
            }
            simulation.runUntil(END);
            return new double[] {
                sessions.completed * 20 + single, server.latencies.millis(0.99), server.rejected
            };
        }

        private void sendAgain(Session session) {
            server.send(
                    page,
                    session,
                    a -> simulation.after(a ? 0 : 100 * MILLI, () -> sendAgain(session)));
        }
    }

    /// One request in a hundred never returns; after 30 s of overload, a quarter of the load.
    private static double[] stuckHandlers(long seed) {
        var simulation = new Simulation(seed);
        var server = new VirtualServer(simulation, 4, Limits.of(4));
        long end = 45 * SECOND;
        server.countFrom = 5 * SECOND;
        server.tickUntil(end);
        Plan quick = Plan.waiting("GET /quick", 5);
        Plan compute = Plan.computing("GET /compute", 10);
        Plan hangs = Plan.waiting("GET /hangs", 100_000_000);
        simulation.poisson(
                nanos -> nanos < 30 * SECOND ? 1_000 : 250,
                end,
                () -> {
                    double kind = simulation.uniform();
                    server.send(
                            kind < 0.01 ? hangs : kind < 0.4 ? quick : compute,
                            server.nextSession(),
                            _ -> {});
                });
        simulation.runUntil(end);
        return result(server, server.completed);
    }

    /// A server that has just started: bursts of requests, and code that becomes forty times faster
    /// within two seconds.
    private static double[] coldBurst(long seed) {
        var simulation = new Simulation(seed);
        var server = new VirtualServer(simulation, 2, Limits.of(2));
        long end = 20 * SECOND;
        server.tickUntil(end);
        var completed = new AtomicInteger();
        simulation.poisson(
                nanos -> nanos % SECOND < 300 * MILLI ? 3_000 : 300,
                end,
                () -> {
                    double millis = Math.max(1, 40 * Math.exp(-simulation.nanos() / 0.5e9));
                    var session = new Session();
                    server.send(
                            Plan.computing("GET /page", millis),
                            session,
                            isCompleted -> {
                                server.admission.closeSession(session);
                                completed.addAndGet(isCompleted ? 1 : 0);
                            });
                });
        simulation.runUntil(end);
        return result(server, completed.get());
    }
}
