import type { Context } from './context.ts'

/** One value of a metric. */
export interface Sample {
  labels?: Record<string, string>
  value: number
}

/** A figure for `/metrics`, read when somebody asks. */
export interface Metric {
  /** As Prometheus knows it: begins with `parley_` and ends with its unit. */
  name: string
  help: string
  /** A counter only grows while a server runs. */
  type: 'gauge' | 'counter'
  /** Their values are few and known before: never ids, addresses or what somebody typed. */
  labels: readonly string[]
  read(context: Context): Sample[] | Promise<Sample[]>
}

/** Declares a figure for `/metrics`. */
export function defineMetric(name: string, metric: Omit<Metric, 'name'>): Metric {
  return { name, ...metric }
}
