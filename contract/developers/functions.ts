import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { BooleanInput, CountParameter, FilledText, ifAny, Metadata, maybe, Text, Timestamp } from '../wire.ts'
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
  code: z.nullable(z.string()).check(z.describe('The code in the editor; it runs once it is deployed.')),
  language: z.string().check(z.describe('Stored as sent. The code always runs as JavaScript.')),
  runtime: z.string().check(z.describe('Stored as sent. The code always runs in Parley’s sandbox.')),
  status: FunctionStatus.check(z.describe('`pending`: never deployed.')),
  events: z.array(FunctionEvent).check(z.describe('The events it runs for. Of messages only those of customers.')),
  modules: z.array(z.string()).check(z.describe('Paths of the uploaded modules.')),
  is_changed: z.boolean().check(z.describe('Whether the code has changed since it was deployed.')),
  creator_id: z.nullable(z.int32()).check(z.describe('The user who created it.')),
  metadata: z
    .nullable(z.record(z.string(), z.unknown()))
    .check(z.describe('Any data of yours, as JSON. Parley only stores it.')),
  last_deployed_at: z.nullable(Timestamp).check(z.describe('Null if it was never deployed.')),
  last_executed_at: z.nullable(Timestamp).check(z.describe('Null if it never ran.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Lambda = z.output<typeof Lambda>

const LambdaFields = z.object({
  name: ifAny(FilledText(100)),
  description: maybe(Text(1000)),
  code: maybe(Text(CODE_LIMIT)),
  language: ifAny(Text(40)).check(z.describe('Stored as sent. The code always runs as JavaScript.')),
  runtime: ifAny(Text(40)).check(z.describe('Stored as sent. The code always runs in Parley’s sandbox.')),
  metadata: maybe(Metadata),
  events: ifAny(z.array(FunctionEvent).check(z.minLength(1, 'choose at least one'))).check(
    z.describe('The events it runs for.'),
  ),
})
const LambdaDraft = z.extend(LambdaFields, { name: FilledText(100) })
export type LambdaDraft = z.output<typeof LambdaDraft>

const LambdaChanges = z.extend(LambdaFields, {
  status: ifAny(FunctionStatus).check(z.describe('`active` or `inactive`.')),
})
export type LambdaChanges = z.output<typeof LambdaChanges>

const RunError = z.object({
  errorType: z.string().check(z.describe('Class of the error.')),
  errorMessage: z.string().check(z.describe('The error’s message.')),
  trace: z.array(z.string()).check(z.describe('Lines of the stack trace.')),
})
const RunLog = z.object({
  level: z.enum(['log', 'info', 'warn', 'error', 'debug']).check(z.describe('The console method.')),
  text: z.string().check(z.describe('What was written.')),
})
const RunState = z.enum(['queued', 'running', 'succeeded', 'failed'])

/** One run of a function. */
export const FunctionRun = z.object({
  id: z.string(),
  object: z.literal('function_run'),
  event: z.string().check(z.describe('Name of the event, such as `message:created`.')),
  state: RunState.check(z.describe('How it ended, or that it still runs.')),
  is_test: z.boolean().check(z.describe('Whether it was a test run from the editor.')),
  result: z.optional(z.unknown()).check(z.describe('The returned value.')),
  error: z.nullable(RunError),
  logs: z.array(RunLog),
  duration_ms: z.nullable(z.int32()).check(z.describe('In milliseconds.')),
  created_at: Timestamp,
  started_at: z.nullable(Timestamp).check(z.describe('Null while it waits.')),
})
export type FunctionRun = z.output<typeof FunctionRun>

/** Calls about functions. */
export const functions = {
  list: endpoint('admin', 'GET', '/api/lambdas', {
    summary: 'Lists the functions, most recently updated first.',
    query: z.object({
      status: z.optional(FunctionStatus).check(z.describe('Only functions in this state.')),
      name: z.optional(Text(100)),
      q: z.optional(Text(200)).check(z.describe('Part of name or description.')),
    }),
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
      file: z.optional(z.unknown()).check(z.describe('A zip file with modules.')),
    }),
    takes_file: true,
    answer: data(Lambda),
  }),
  invoke: endpoint('admin', 'POST', '/api/lambdas/:id/invoke', {
    summary:
      'Runs the deployed code of a function, or with `is_draft` the code in the editor, and returns the result; `errorMessage` if it failed.',
    body: z.object({
      event: Text(60).check(z.describe('Name of the event, such as `message:created`.')),
      payload: z.optional(z.unknown()).check(z.describe('What the function receives as `event.payload`.')),
      is_draft: maybe(BooleanInput).check(z.describe('Runs the code of the editor instead of the deployed one.')),
    }),
    answer: z.object({ data: z.optional(z.unknown()), run: FunctionRun }),
    limit: 'message',
  }),
  runs: endpoint('admin', 'GET', '/api/lambdas/:id/runs', {
    summary: 'Lists the newest runs of a function, at most 100.',
    query: z.object({ limit: CountParameter }),
    answer: data(z.array(FunctionRun)),
  }),
}
