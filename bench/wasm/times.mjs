// times.mjs - measures the least time of each of several tasks. They take turns in many short rounds, so that other
// load on the machine disturbs all of them equally. BENCH_ROUNDS: the number of rounds, for tests that only run the
// bench.
export function leastTimes(works, rounds = 200) {
  const best = works.map(() => Infinity);
  for (let round = 0; round < (process.env.BENCH_ROUNDS ?? rounds); round++)
    works.forEach((work, i) => {
      const start = performance.now();
      work();
      best[i] = Math.min(best[i], performance.now() - start);
    });
  return best;
}
