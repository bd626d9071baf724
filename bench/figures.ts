import { cpus, totalmem } from 'node:os'

/** The value below which `share` of the samples lie, in the samples' unit. */
export function percentile(samples: number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** `p50 1.2  p95 3.4  p99 5.6 ms (n = 100)`. */
export function describe(samples: number[]): string {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(samples, share).toFixed(2))
  return `p50 ${p50}  p95 ${p95}  p99 ${p99} ms (n = ${samples.length})`
}

export function report(name: string, text: string) {
  console.log(`${name.padEnd(46)} ${text}`)
}

/**
 * How many times slower one is than the other at p50 and p99; unlike absolute times, a ratio holds on a busy machine.
 */
export function ratio(samples: number[], baseline: number[]): string {
  const at = (share: number) => (percentile(samples, share) / percentile(baseline, share)).toFixed(1)
  return `${at(0.5)} × at p50, ${at(0.99)} × at p99`
}

export function header(title: string) {
  const model = cpus()[0]?.model ?? 'unknown processor'
  console.log(`\n${title}`)
  console.log(
    `${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}\n`,
  )
}

/** Measures `work` in milliseconds. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Measures `work` this many times, one after the other, after a short warm-up that is not counted. */
export async function sample(times: number, work: (i: number) => Promise<unknown>): Promise<number[]> {
  for (let i = 0; i < Math.min(20, times); i++) await work(i)
  const samples: number[] = []
  for (let i = 0; i < times; i++) samples.push(await time(() => work(i)))
  return samples
}
