import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomBytes } from 'node:crypto'
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import { currentRequestId } from '../request-id.ts'
import { setTracer, type TracedWork } from './traced.ts'

const KINDS = { request: SpanKind.SERVER, background: SpanKind.CONSUMER, call: SpanKind.CLIENT } as const

/**
 * Sends traces to the collector set by OpenTelemetry's standard variables, which its library reads. `share` of all
 * traces are sent, 1 for all. What follows from a request belongs to its trace, because trace ids are derived from
 * request ids.
 * @returns a function that sends the rest and stops
 */
export function startTracing({ version, share }: { version: string; share: number }): () => Promise<void> {
  const own = resourceFromAttributes({ 'service.name': 'parley', 'service.version': version })
  const provider = new TracerProvider({
    resource: own.merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    sampler: new TraceIdRatioBasedSampler(share),
    idGenerator: { generateTraceId: traceId, generateSpanId: () => randomBytes(8).toString('hex') },
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const spans = provider.getTracer('parley', version)
  const around = new AsyncLocalStorage<Span>()

  function begin({ name, kind, attributes = {} }: TracedWork, startTime?: number): Span | undefined {
    const parent = kind === 'call' ? around.getStore() : undefined
    // Background polling, such as looking for work each second, would drown the rest.
    if (kind === 'call' && !parent?.isRecording()) return undefined
    const request_id = currentRequestId()
    const options = {
      kind: KINDS[kind],
      attributes: { ...attributes, ...(request_id && kind !== 'call' && { 'parley.request_id': request_id }) },
      ...(startTime !== undefined && { startTime }),
    }
    return spans.startSpan(name, options, parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT)
  }

  setTracer({
    async run(work, run) {
      const span = begin(work)
      if (!span) return run()
      try {
        const result = await around.run(span, run)
        span.setAttributes(work.atEnd?.() ?? {})
        return result
      } catch (error) {
        recordError(span, error)
        throw error
      } finally {
        span.end()
      }
    },
    record(work, ms, isFailed) {
      const now = Date.now()
      const span = begin(work, now - ms)
      if (isFailed) span?.setStatus({ code: SpanStatusCode.ERROR })
      span?.end(now)
    },
  })
  return async () => {
    setTracer(undefined)
    await provider.shutdown().catch(() => undefined)
  }
}

/**
 * Records only the kind of an error, because its message may contain personal data. Errors of the caller are not
 * recorded.
 */
function recordError(span: Span, error: unknown): void {
  const { name, status } = error as { name?: string; status?: number }
  if (status !== undefined) span.setAttribute('http.response.status_code', status)
  if (status !== undefined && status < 500) return
  span.setAttribute('error.type', name ?? 'Error')
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Derived from the request id, so that its jobs on any server belong to the same trace. */
function traceId(): string {
  const id = currentRequestId()
  if (!id) return randomBytes(16).toString('hex')
  const hex = id.replaceAll('-', '')
  return /^[\da-f]{32}$/.test(hex) ? hex : createHash('sha256').update(id).digest('hex').slice(0, 32)
}
