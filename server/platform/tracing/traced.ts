/** Timed work, as shown in traces. Must not contain personal data. */
export interface TracedWork {
  /** With few distinct values: a route, a job, the kind of a statement. */
  name: string
  /** A request and background work start a trace of their own; a call belongs to the work around it. */
  kind: 'request' | 'background' | 'call'
  attributes?: Attributes
  /** Attributes known once it has succeeded. */
  atEnd?: () => Attributes
}

/** Attributes of work in a trace. Traces leave the installation, so they must not contain texts of people. */
export type Attributes = Record<string, string | number | boolean>

/** Receives finished work while tracing is enabled. */
export interface Tracer {
  run<Result>(work: TracedWork, run: () => Promise<Result>): Promise<Result>
  /** Records finished work with its duration in milliseconds. */
  record(work: TracedWork, ms: number, isFailed: boolean): void
}

let tracer: Tracer | undefined

/** Enables or disables tracing. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next
}

/** Runs work and reports its duration to the tracer. Costs nothing while tracing is disabled. */
export function traced<Result>(work: TracedWork, run: () => Promise<Result>): Promise<Result> {
  return tracer ? tracer.run(work, run) : run()
}

/** Reports finished work to the tracer. */
export function recordTraced(describe: () => TracedWork, ms: number, isFailed: boolean): void {
  tracer?.record(describe(), ms, isFailed)
}
