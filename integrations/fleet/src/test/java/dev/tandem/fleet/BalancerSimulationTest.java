package dev.tandem.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Many instances in virtual time behind a model of a balancer that divides requests by the weights
/// it last read, every two seconds at a phase of its own for each instance. Instances are fluid
/// queues of a second's work at most; beyond it they reject. What is simulated is the division,
/// with the real [Weight]; admission itself has simulations of its own.
class BalancerSimulationTest {
    private static final double STEP = 0.1;
    private static final int STEPS_A_SECOND = 10;
    private static final double CAPACITY = 100;
    private static final double QUEUE_SECONDS = 1;
    private static final double NOISE = 0.05;

    private Instance[] all = {};
    private double offered;
    private double served;

    private static final class Instance {
        final Weight weight = new Weight(0);
        final int phase;
        double capacity = CAPACITY;
        double processors = 1;
        double readWeight = 10;
        boolean isReachable = true;

        /// Whether it does half of what its processors could.
        boolean isSlowOutside;

        double queued;
        double servedInSecond;
        double arrivedInSecond;
        double rejectedInSecond;
        double used;
        double utilization;

        Instance(int phase) {
            this.phase = phase;
        }

        /// @return how many were served
        double step(double arrived, Random random) {
            double does = isSlowOutside ? capacity / 2 : capacity;
            double can = does * STEP * (1 + NOISE * random.nextGaussian());
            double rejected = Math.max(0, queued + arrived - capacity * QUEUE_SECONDS);
            queued += arrived - rejected;
            arrivedInSecond += arrived;
            rejectedInSecond += rejected;
            double done = Math.min(queued, Math.max(0, can));
            queued -= done;
            double busy = done / (capacity * STEP);
            used += (Math.min(1, busy) - used) * STEP / 2;
            double demand = busy + queued / (capacity * QUEUE_SECONDS);
            utilization += (demand - utilization) * STEP / 2;
            servedInSecond += done;
            return done;
        }

        void second() {
            double accepted = arrivedInSecond > 0 ? 1 - rejectedInSecond / arrivedInSecond : 1;
            weight.ended(new Weight.Interval(1, servedInSecond, used, processors, accepted, 0, 1));
            servedInSecond = 0;
            arrivedInSecond = 0;
            rejectedInSecond = 0;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100, 1_000})
    void weightsDoNotSwingAndNothingIsLost(int count) {
        begin(count);
        run(40, 0.7 * CAPACITY * count, new Random(count));
        double least = 100;
        double most = 0;
        for (int second = 0; second < 40; second++) {
            run(1, 0.7 * CAPACITY * count, new Random(second));
            for (Instance each : all) {
                least = Math.min(least, each.weight.percent());
                most = Math.max(most, each.weight.percent());
            }
        }
        assertTrue(least >= 80 && most <= 100, least + " to " + most);
        assertGoodput(0.99);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100, 1_000})
    void instancesWithHalfOfTheirProcessorsGetHalf(int count) {
        begin(count);
        var random = new Random(count);
        run(40, 0.6 * CAPACITY * count, random);
        int slow = count / 5;
        for (int i = 0; i < slow; i++) {
            all[i].capacity = CAPACITY / 2;
            all[i].processors = 0.5;
        }
        run(7, 0.6 * CAPACITY * count, random); // 5 s to measure, 2 s until it is read
        assertShareOfSlow(slow);
        forget();
        run(60, 0.6 * CAPACITY * count, random);
        assertShareOfSlow(slow);
        assertGoodput(0.95);
    }

    /// Half the processors do less than half; the weight knows it by rejections alone.
    @ParameterizedTest
    @ValueSource(ints = {10, 100, 1_000})
    void instancesWhoseHalvedProcessorsDoLessThanHalfGetLittleMoreThanTheyCanDo(int count) {
        begin(count);
        var random = new Random(count);
        run(60, 0.8 * CAPACITY * count, random);
        int slow = count / 5;
        for (int i = 0; i < slow; i++) {
            all[i].capacity = 0.37 * CAPACITY;
            all[i].processors = 0.5;
        }
        run(20, 0.8 * CAPACITY * count, random);
        forget();
        for (int second = 0; second < 30; second++) {
            run(1, 0.8 * CAPACITY * count, random);
            double demand = 0.8 * count * shareOfSlow(slow) / slow;
            assertEquals(0.41, demand, 0.02, "without rejections 0.44 of an instance's requests");
        }
        assertGoodput(0.985);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100, 1_000})
    void noHerdFollowsAPartition(int count) {
        begin(count);
        var random = new Random(count);
        run(40, 0.7 * CAPACITY * count, random);
        for (int i = 0; i < count / 2; i++) {
            all[i].isReachable = false; // agents and instances: the other half gets all
        }
        run(30, 0.7 * CAPACITY * count, random);
        for (Instance each : all) {
            each.isReachable = true;
        }
        run(10, 0.7 * CAPACITY * count, random);
        forget();
        run(30, 0.7 * CAPACITY * count, random);
        assertGoodput(0.95);
        for (Instance each : all) {
            assertTrue(each.utilization < 1.2, "a herd: " + each.utilization);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100, 1_000})
    void overloadCostsNoGoodput(int count) {
        begin(count);
        var random = new Random(count);
        run(40, 0.7 * CAPACITY * count, random);
        forget();
        run(60, 2 * CAPACITY * count, random);
        double part = served / (60 * CAPACITY * count);
        assertTrue(part >= 0.95, "of the capacity: " + part);
        assertWeightsAreWithin(0.8, 1.25);
    }

    /// What limits them is a database of their own, so that their speed does not show it.
    @ParameterizedTest
    @ValueSource(ints = {10, 100, 1_000})
    void instancesThatRejectMoreThanOthersGetLessAndNothingSwings(int count) {
        begin(count);
        var random = new Random(count);
        run(40, 0.7 * CAPACITY * count, random);
        int slow = count / 5;
        for (int i = 0; i < slow; i++) {
            all[i].isSlowOutside = true;
        }
        run(60, 0.95 * CAPACITY * count, random);
        double before = shareOfSlow(slow);
        assertTrue(before < 0.175, "less than a fifth of the requests: " + before);
        for (int second = 0; second < 30; second++) {
            run(1, 0.95 * CAPACITY * count, random);
            assertTrue(Math.abs(shareOfSlow(slow) / before - 1) < 0.1, "it swings");
        }
    }

    private void assertWeightsAreWithin(double least, double most) {
        double mean = 0;
        for (Instance each : all) {
            mean += each.readWeight / all.length;
        }
        for (Instance each : all) {
            double part = each.readWeight / mean;
            assertTrue(part >= least && part <= most, "weights " + part + " of their mean");
        }
    }

    private void begin(int count) {
        all = new Instance[count];
        for (int i = 0; i < count; i++) {
            all[i] = new Instance(i);
        }
        forget();
    }

    private void forget() {
        offered = 0;
        served = 0;
    }

    private void run(int seconds, double rate, Random random) {
        int steps = seconds * STEPS_A_SECOND;
        for (int step = 0; step < steps; step++) {
            double sum = 0;
            for (Instance each : all) {
                if (each.isReachable && (step + each.phase) % (2 * STEPS_A_SECOND) == 0) {
                    each.readWeight = each.weight.percent();
                }
                sum += each.isReachable ? each.readWeight : 0;
            }
            for (Instance each : all) {
                double part = each.isReachable ? each.readWeight / sum : 0;
                served += each.step(rate * STEP * part, random);
                if ((step + each.phase) % STEPS_A_SECOND == 0) {
                    each.second();
                }
            }
            offered += rate * STEP;
        }
    }

    private double shareOfSlow(int slow) {
        double sum = 0;
        double ofSlow = 0;
        for (int i = 0; i < all.length; i++) {
            sum += all[i].readWeight;
            ofSlow += i < slow ? all[i].readWeight : 0;
        }
        return ofSlow / sum;
    }

    private void assertShareOfSlow(int slow) {
        double fair = slow * 0.5 / (slow * 0.5 + all.length - slow);
        double share = shareOfSlow(slow);
        assertTrue(Math.abs(share / fair - 1) < 0.15, share + " instead of " + fair);
    }

    private void assertGoodput(double least) {
        assertTrue(served / offered >= least, "goodput " + served / offered);
    }
}
