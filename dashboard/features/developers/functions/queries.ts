import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { messages } from '#contract/conversations/messages.ts'
import { type FunctionRun, functions, type Lambda, type LambdaChanges } from '#contract/developers/functions.ts'
import { call, callWithForm } from '../../../platform/http/api.ts'
import { ApiError } from '../../../platform/http/request.ts'

const keys = {
  list: ['functions'] as const,
  one: (id: string) => ['functions', id, 'one'] as const,
  runs: (id: string) => ['functions', id, 'runs'] as const,
}

/** All functions, most recently changed first. */
export const functionsQuery = queryOptions({
  queryKey: [...keys.list, 'all'],
  queryFn: async ({ signal }) => (await call(functions.list, { signal })).data,
  refetchOnMount: 'always',
})

export const functionQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => (await call(functions.get, { params: { id }, signal })).data,
    refetchOnMount: 'always',
  })

/** The latest runs of a function. `useLiveRuns` keeps them up to date. */
export const runsQuery = (id: string) =>
  queryOptions({
    queryKey: keys.runs(id),
    queryFn: async ({ signal }) => (await call(functions.runs, { params: { id }, signal })).data,
    // Live updates only arrive while the page is open.
    refetchOnMount: 'always',
  })

type Draft = Pick<Lambda, 'name' | 'code' | 'events'> & { description: string }

export async function createFunction(draft: Draft): Promise<Lambda> {
  return (await call(functions.create, { body: { lambda: draft } })).data
}

export async function saveFunction(client: QueryClient, id: string, lambda: LambdaChanges): Promise<void> {
  const { data } = await call(functions.update, { params: { id }, body: { lambda }, keepalive: isSmall(lambda) })
  client.setQueryData(keys.one(id), data)
}

/** Browsers allow `keepalive` only for small bodies. */
function isSmall(lambda: LambdaChanges): boolean {
  return JSON.stringify(lambda).length < 20_000
}

export async function deleteFunction(id: string): Promise<void> {
  await call(functions.remove, { params: { id } }).catch((error) => {
    // It was already deleted elsewhere.
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
}

/** Deploys the saved code, or a zip with code and modules. */
export async function deployFunction(client: QueryClient, id: string, zip?: File): Promise<void> {
  const data = zip ? await uploadZip(id, zip) : (await call(functions.deploy, { params: { id }, body: {} })).data
  client.setQueryData(keys.one(id), data)
}

/** Runs the code in the editor for a message that was just sent, and returns the result. */
export async function tryFunction(client: QueryClient, id: string, message_id: string): Promise<FunctionRun> {
  // Functions receive messages as the team sees them.
  const { data: payload } = await call(messages.get, { params: { id: message_id } })
  const body = { event: 'message:created', payload, is_draft: true }
  const { run } = await call(functions.invoke, { params: { id }, body })
  await client.invalidateQueries({ queryKey: keys.runs(id) })
  return run
}

/** Deploys a zip with code and modules. Throws ApiError. */
async function uploadZip(id: string, file: File): Promise<Lambda> {
  const form = new FormData()
  form.append('file', file)
  try {
    return (await callWithForm(functions.deploy, form, { params: { id } })).data
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error
    throw new ApiError(error.status, `${error.message || 'The upload failed.'} (status ${error.status})`)
  }
}
