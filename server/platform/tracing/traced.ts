/** Something that takes time, as whoever traces sees it. Nothing in it is about a person. */
export interface TracedWork {
  /** Few different ones: a route, a job, the kind of a statement. */
  name: string
  /** A request and work in the background begin a tree of their own; the rest belongs to the work around it. */
  kind: 'request' | 'background' | 'call'
  attributes?: Attributes
  /** What is known once it has succeeded. */
  atEnd?: () => Attributes
}

/** What a trace notes of work. Traces leave the installation, so nothing that people wrote belongs here. */
export type Attributes = Record<string, string | number | boolean>

/** Whoever is told of work while traces are wanted. */
export interface Tracer {
  run<Result>(work: TracedWork, run: () => Promise<Result>): Promise<Result>
  /** Work that has just ended, after so many milliseconds. */
  note(work: TracedWork, ms: number, isFailed: boolean): void
}

let tracer: Tracer | undefined

/** From now on work is traced, or no longer. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next
}

/** Does work, and tells whoever traces how long it took. Costs nothing where nobody does. */
export function traced<Result>(work: TracedWork, run: () => Promise<Result>): Promise<Result> {
  return tracer ? tracer.run(work, run) : run()
}

/** Tells whoever traces of work that has ended. */
export function noteTraced(describe: () => TracedWork, ms: number, isFailed: boolean): void {
  tracer?.note(describe(), ms, isFailed)
}
