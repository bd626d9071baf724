import type { QueryClient } from '@tanstack/react-query'
import type { Conversation, ConversationRow } from '#contract/conversations.ts'

/** An optimistic change: shown over a conversation until the server has answered. */
export type Patch = Partial<ConversationRow>

interface Patched {
  /** The conversation as the server last told it. Events are applied here, below the patches. */
  server: Conversation
  /** What the server is being asked for, the newest last. */
  patches: readonly Patch[]
  /** How it stays on screen although the server is being asked to take it away. */
  returning?: Patch | undefined
}

const KEY = 'patched-conversations'

/** Shows a patch over a conversation, whatever events say, until it is released. Returns how the conversation is shown. */
export function addPatch(client: QueryClient, shown: Conversation, patch: Patch): Conversation {
  const { patches, ...patched } = patchedOf(client, shown)
  return store(client, { ...patched, patches: [...patches, patch] })
}

/** Takes a patch away again. Returns the conversation as it was shown and as it is now; nothing where the patch is unknown. */
export function release(client: QueryClient, id: string, patch: Patch): [Conversation, Conversation] | undefined {
  const patched = read(client, id)
  if (!patched?.patches.includes(patch)) return undefined
  return [
    withPatches(patched),
    store(client, { ...patched, patches: patched.patches.filter((other) => other !== patch) }),
  ]
}

/** Keeps a conversation on screen with this patch, above all others, or stops doing so. */
export function setReturning(client: QueryClient, shown: Conversation, returning: Patch | undefined): Conversation {
  return store(client, { ...patchedOf(client, shown), returning })
}

/** The patch that keeps a conversation on screen which was brought back before it had gone. */
export function returningPatch(client: QueryClient, id: string): Patch | undefined {
  return read(client, id)?.returning
}

/** A conversation as the server last told it, for what is shown. */
export function serverStateOf(client: QueryClient, shown: Conversation): Conversation {
  return read(client, shown.id)?.server ?? shown
}

/** Applies the patches that are still waiting to what the server answered. */
export function withPatchesOf(client: QueryClient, server: Conversation): Conversation {
  const patched = read(client, server.id)
  if (!patched) return server
  return server.version < patched.server.version ? withPatches(patched) : store(client, { ...patched, server })
}

/** A patched conversation, which may stand in no list at the moment; nothing where it has no patches. */
export function findPatched(client: QueryClient, id: string): Conversation | undefined {
  const patched = read(client, id)
  return patched && withPatches(patched)
}

/** Applies what happened to a customer or a tag to every patched conversation. */
export function applyToPatched(client: QueryClient, apply: (server: Conversation) => Conversation) {
  for (const [, patched] of client.getQueriesData<Patched>({ queryKey: [KEY] })) {
    if (patched) store(client, { ...patched, server: apply(patched.server) })
  }
}

function patchedOf(client: QueryClient, shown: Conversation): Patched {
  return read(client, shown.id) ?? { server: shown, patches: [] }
}

/** In the query cache, beside the conversations themselves, so that it goes with them when somebody else signs in. */
function read(client: QueryClient, id: string): Patched | undefined {
  return client.getQueryData<Patched>([KEY, id])
}

function store(client: QueryClient, patched: Patched): Conversation {
  const queryKey = [KEY, patched.server.id]
  if (patched.patches.length > 0 || patched.returning) client.setQueryData(queryKey, patched)
  else client.removeQueries({ queryKey })
  return withPatches(patched)
}

function withPatches({ server, patches, returning }: Patched): Conversation {
  return Object.assign({}, server, ...patches, returning)
}
