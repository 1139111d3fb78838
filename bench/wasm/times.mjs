// times.mjs - the least time of each of several works, which take turns in many short rounds: what the
// machine does besides shows least.
export function leastTimes(works, rounds = 200) {
  const best = works.map(() => Infinity);
  for (let round = 0; round < rounds; round++)
    works.forEach((work, i) => {
      const start = performance.now();
      work();
      best[i] = Math.min(best[i], performance.now() - start);
    });
  return best;
}
