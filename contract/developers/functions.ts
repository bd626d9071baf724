import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { CountParameter, FilledText, GivenBoolean, ifAny, Metadata, maybe, Text, Timestamp } from '../wire.ts'
import { WEBHOOK_EVENTS } from './webhooks.ts'

/** Maximum length of a function's code, in characters. */
export const CODE_LIMIT = 200_000

const FunctionStatus = z.enum(['pending', 'active', 'inactive'])
const FunctionEvent = z.enum(WEBHOOK_EVENTS)

/** A small program of the account that runs on events. Clients call it a lambda. */
export const Lambda = z.object({
  id: z.string(),
  object: z.literal('lambda'),
  account_id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  /** The code in the editor; it runs once it is deployed. */
  code: z.nullable(z.string()),
  language: z.string(),
  runtime: z.string(),
  /** `pending`: never deployed. */
  status: FunctionStatus,
  /** The events it runs for. Of messages only those of customers. */
  events: z.array(FunctionEvent),
  /** Paths of the uploaded modules. */
  modules: z.array(z.string()),
  /** Whether the code has changed since it was deployed. */
  is_changed: z.boolean(),
  creator_id: z.nullable(z.int32()),
  metadata: z.nullable(z.record(z.string(), z.unknown())),
  last_deployed_at: z.nullable(Timestamp),
  last_executed_at: z.nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Lambda = z.output<typeof Lambda>

const LambdaFields = z.object({
  name: ifAny(FilledText(100)),
  description: maybe(Text(1000)),
  code: maybe(Text(CODE_LIMIT)),
  language: ifAny(Text(40)),
  runtime: ifAny(Text(40)),
  metadata: maybe(Metadata),
  events: ifAny(z.array(FunctionEvent).check(z.minLength(1, 'choose at least one'))),
})
const LambdaDraft = z.extend(LambdaFields, { name: FilledText(100) })
export type LambdaDraft = z.output<typeof LambdaDraft>

const LambdaChanges = z.extend(LambdaFields, { status: ifAny(FunctionStatus) })
export type LambdaChanges = z.output<typeof LambdaChanges>

const RunError = z.object({ errorType: z.string(), errorMessage: z.string(), trace: z.array(z.string()) })
const RunLog = z.object({ level: z.enum(['log', 'info', 'warn', 'error', 'debug']), text: z.string() })
const RunState = z.enum(['queued', 'running', 'succeeded', 'failed'])

/** One run of a function. */
export const FunctionRun = z.object({
  id: z.string(),
  object: z.literal('function_run'),
  event: z.string(),
  state: RunState,
  /** Whether it was a test run from the editor. */
  is_test: z.boolean(),
  /** The returned value. */
  result: z.optional(z.unknown()),
  error: z.nullable(RunError),
  logs: z.array(RunLog),
  duration_ms: z.nullable(z.int32()),
  created_at: Timestamp,
  started_at: z.nullable(Timestamp),
})
export type FunctionRun = z.output<typeof FunctionRun>

/** Calls about functions. */
export const functions = {
  list: endpoint('admin', 'GET', '/api/lambdas', {
    summary: 'Lists the functions, most recently updated first.',
    query: z.object({ status: z.optional(FunctionStatus), name: z.optional(Text(100)), q: z.optional(Text(200)) }),
    answer: data(z.array(Lambda)),
  }),
  create: endpoint('admin', 'POST', '/api/lambdas', {
    summary: 'Creates a function. It runs once it is deployed and active.',
    body: z.object({ lambda: LambdaDraft }),
    body_limit: 1_000_000,
    answer: data(Lambda),
    status: 201,
  }),
  get: endpoint('admin', 'GET', '/api/lambdas/:id', { summary: 'Returns a function.', answer: data(Lambda) }),
  update: endpoint('admin', 'PUT', '/api/lambdas/:id', {
    summary: 'Updates a function. Code takes effect when it is deployed; only a deployed function can be activated.',
    body: z.object({ lambda: LambdaChanges }),
    body_limit: 1_000_000,
    answer: data(Lambda),
  }),
  remove: endpoint('admin', 'DELETE', '/api/lambdas/:id', {
    summary: 'Deletes a function with its runs and its key.',
    answer: z.null(),
    status: 204,
  }),
  deploy: endpoint('admin', 'POST', '/api/lambdas/:id/deploy', {
    summary:
      'Deploys the code of a function, or a ZIP file in the form field `file` with `index.js` and the modules it requires.',
    body: z.object({
      name: ifAny(FilledText(100)),
      description: maybe(Text(1000)),
      code: maybe(Text(CODE_LIMIT)),
      file: z.optional(z.unknown()),
    }),
    takes_file: true,
    answer: data(Lambda),
  }),
  invoke: endpoint('admin', 'POST', '/api/lambdas/:id/invoke', {
    summary:
      'Runs the deployed code of a function, or with `is_draft` the code in the editor, and returns the result; `errorMessage` if it failed.',
    body: z.object({ event: Text(60), payload: z.optional(z.unknown()), is_draft: maybe(GivenBoolean) }),
    answer: z.object({ data: z.optional(z.unknown()), run: FunctionRun }),
    limit: 'message',
  }),
  runs: endpoint('admin', 'GET', '/api/lambdas/:id/runs', {
    summary: 'Lists the newest runs of a function, at most 100.',
    query: z.object({ limit: CountParameter }),
    answer: data(z.array(FunctionRun)),
  }),
}
