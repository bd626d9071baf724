import * as z from 'zod/mini'

// What the server and the process of a sandbox tell each other. The process runs untrusted code, so whatever comes
// from it is read as untrusted input.

/** Code to run, with everything it is given. */
export interface SandboxTask {
  /** A CommonJS module that exports a function named `handler`, or declares one. */
  code: string
  /** Modules that it may require, by their paths. */
  modules: Record<string, string>
  /** Its `process.env`. */
  env: Record<string, string>
  /** What the handler is given. */
  input: unknown
}

/** A request of the code inside. */
export const SandboxRequest = z.object({
  url: z.string().check(z.maxLength(10_000)),
  method: z.string().check(z.regex(/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/)),
  headers: z.record(
    z.string().check(z.regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/)),
    z.string().check(
      z.maxLength(8_000),
      z.refine((value) => !/[\r\n]/.test(value) && !value.includes('\u0000')),
    ),
  ),
  body: z.nullable(z.string().check(z.maxLength(1_000_000))),
})
export type SandboxRequest = z.output<typeof SandboxRequest>

/** What came back. */
export interface SandboxResponse {
  status: number
  url: string
  headers: Record<string, string>
  body: string
}

/** To the process. */
export type ToSandbox =
  | { type: 'run'; task: SandboxTask }
  | { type: 'fetched'; id: number; response?: SandboxResponse; error?: string }

/** Why a run failed, as such functions always told it. */
export const SandboxError = z.object({
  errorType: z.string(),
  errorMessage: z.string(),
  trace: z.array(z.string()),
})
export type SandboxError = z.output<typeof SandboxError>

/** A line that the code wrote. */
export const SandboxLog = z.object({
  level: z.enum(['log', 'info', 'warn', 'error', 'debug']),
  text: z.string(),
})
export type SandboxLog = z.output<typeof SandboxLog>

/** From the process. */
export const FromSandbox = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('log'), ...SandboxLog.shape }),
  z.object({ type: z.literal('fetch'), id: z.int(), request: z.unknown() }),
  // JSON as text, so that nothing of it is read before its size is known.
  z.object({ type: z.literal('done'), result: z.string() }),
  // `isBroken`: nothing in the process is to be relied on any more.
  z.object({ type: z.literal('failed'), error: SandboxError, isBroken: z.optional(z.boolean()) }),
])
export type FromSandbox = z.output<typeof FromSandbox>

/** What one run may use. Beyond it the run fails, or what is too much is left out. */
export const LIMITS = {
  /** Of the code inside, everything it makes included. */
  memoryBytes: 64_000_000,
  stackBytes: 200_000,
  /** Of processor time. */
  cpuMs: 2_000,
  /** In all, waiting included. */
  totalMs: 10_000,
  logLines: 200,
  logLineLength: 4_000,
  logBytes: 64_000,
  resultBytes: 256_000,
  fetches: 50,
  fetchesAtOnce: 6,
  answerBytes: 1_000_000,
  timers: 1_000,
}
