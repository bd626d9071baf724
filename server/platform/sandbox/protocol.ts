import * as z from 'zod/mini'

// Messages between the server and a sandbox process. The process runs untrusted code, so its messages are parsed as
// untrusted input.

/** Code to run, with its input. */
export interface SandboxTask {
  /** A CommonJS module that exports or declares a function named `handler`. */
  code: string
  /** Modules it may require, by path. */
  modules: Record<string, string>
  /** Its `process.env`. */
  env: Record<string, string>
  /** The handler's argument. */
  input: unknown
}

/** A request of the guest code. */
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

/** The response to such a request. */
export interface SandboxResponse {
  status: number
  url: string
  headers: Record<string, string>
  body: string
}

/** Messages to the process. */
export type ToSandbox =
  | { type: 'run'; task: SandboxTask }
  | { type: 'fetched'; id: number; response?: SandboxResponse; error?: string }

/** Why a run failed, in Papercups' shape. */
export const SandboxError = z.object({
  errorType: z.string(),
  errorMessage: z.string(),
  trace: z.array(z.string()),
})
export type SandboxError = z.output<typeof SandboxError>

/** A log line of the guest code. */
export const SandboxLog = z.object({
  level: z.enum(['log', 'info', 'warn', 'error', 'debug']),
  text: z.string(),
})
export type SandboxLog = z.output<typeof SandboxLog>

/** Messages from the process. */
export const FromSandbox = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('log'), ...SandboxLog.shape }),
  z.object({ type: z.literal('fetch'), id: z.int(), request: z.unknown() }),
  // JSON as text, so that its size can be checked before parsing.
  z.object({ type: z.literal('done'), result: z.string() }),
  // `isBroken`: the process can no longer be trusted to work.
  z.object({ type: z.literal('failed'), error: SandboxError, isBroken: z.optional(z.boolean()) }),
])
export type FromSandbox = z.output<typeof FromSandbox>

/** Limits of one run. Beyond them the run fails, or the excess is left out. */
export const LIMITS = {
  /** All memory of the guest code. */
  memoryBytes: 64_000_000,
  stackBytes: 200_000,
  /** Processor time. */
  cpuMs: 2_000,
  /** Total time, including waiting. */
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
