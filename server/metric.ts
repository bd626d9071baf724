import type { Context } from './context.ts'

/** One value of a metric. */
export interface Sample {
  labels?: Record<string, string>
  value: number
}

/** A metric for `/metrics`, read on demand. */
export interface Metric {
  /** Its Prometheus name: begins with `parley_` and ends with its unit. */
  name: string
  help: string
  /** A counter only grows while a server runs. */
  type: 'gauge' | 'counter'
  /** Label values must be few and known in advance: never ids, addresses or typed text. */
  labels: readonly string[]
  read(context: Context): Sample[] | Promise<Sample[]>
}

/** Declares a metric for `/metrics`. */
export function defineMetric(name: string, metric: Omit<Metric, 'name'>): Metric {
  return { name, ...metric }
}
