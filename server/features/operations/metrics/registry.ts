import { Registry as Collectors, Counter, collectDefaultMetrics, Gauge, Histogram } from 'prom-client'
import type { Context } from '../../../context.ts'
import type { Metric, Sample } from '../../../metric.ts'
import { withinTime } from '../../../platform/within-time.ts'
import { backlogMetrics } from './backlog-metrics.ts'

/** In seconds. We promise 20 to 50 ms for what people wait for, and a second for what they notice. */
const BUCKETS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** A scrape must succeed while the database hangs: Prometheus gives up after ten seconds and counts a server as down. */
const TIMEOUT_MS = 3_000

/** How long figures are cached. */
const KEPT_MS = 3_000

export interface CountedRequest {
  method: string
  /** The route's pattern, such as `/api/messages/:id`. */
  route: string
  status: string
  seconds: number
}

/** The metrics of one server. */
export interface Registry {
  countRequest(request: CountedRequest): void
  /** All metrics in Prometheus' format. */
  read(): Promise<string>
}

/** Creates this server's metrics: of the process, of requests from now on, and those declared by features. */
export function openRegistry(context: Context): Registry {
  const collectors = new Collectors()
  collectDefaultMetrics({ register: collectors })
  const requests = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Duration of requests, from their headers to the end of the response.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [collectors],
  })
  const failed = new Counter({
    name: 'parley_metrics_failed_total',
    help: 'Metrics that could not be read, most likely because the database did not count them within two seconds.',
    labelNames: ['metric'],
    registers: [collectors],
  })
  for (const metric of [...context.metrics, ...backlogMetrics()]) {
    addMetric(collectors, metric, context, (error) => {
      context.log.warn({ err: error, metric: metric.name }, 'A metric could not be read')
      failed.inc({ metric: metric.name })
    })
  }
  return {
    countRequest: ({ seconds, ...labels }) => requests.observe(labels, seconds),
    read: () => collectors.metrics(),
  }
}

/**
 * Adds a metric that is read on demand and cached for some seconds, so that several scrapers cost no more than one. A
 * failing metric is left out without affecting the others.
 */
function addMetric(collectors: Collectors, metric: Metric, context: Context, onError: (error: unknown) => void): void {
  const { name, help, type, labels } = metric
  let cached: { at: number; samples: Promise<Sample[]> } | undefined

  async function read(): Promise<Sample[]> {
    try {
      return await withinTime(TIMEOUT_MS, Promise.resolve(metric.read(context)), 'Reading it took too long.')
    } catch (error) {
      onError(error)
      return []
    }
  }

  async function collect(this: Counter | Gauge) {
    if (!cached || performance.now() - cached.at > KEPT_MS) cached = { at: performance.now(), samples: read() }
    const samples = await cached.samples
    this.reset()
    // Without labels a reset leaves a zero, which would be reported although the value is unknown.
    if (labels.length === 0 && samples.length === 0) this.remove()
    for (const { labels = {}, value } of samples) this.inc(labels, value)
  }
  const settings = { name, help, labelNames: labels, registers: [collectors], collect }
  if (type === 'counter') new Counter(settings)
  else new Gauge(settings)
}
