import type { QueryClient } from '@tanstack/react-query'
import type { Conversation, ConversationRow } from '#contract/conversations/conversations.ts'

/** An optimistic change: shown over a conversation until the server has answered. */
export type Patch = Partial<ConversationRow>

interface Patched {
  /** The latest state from the server. Events are applied to it. */
  server: Conversation
  /** Changes that the server has not answered yet, the newest last. */
  patches: readonly Patch[]
  /** The result of an undo, shown above all patches until the server has applied it. */
  returning?: Patch | undefined
}

const KEY = 'patched-conversations'

/**
 * Shows a patch over a conversation until it is released, whatever events arrive. Returns the conversation as shown.
 */
export function addPatch(client: QueryClient, shown: Conversation, patch: Patch): Conversation {
  const { patches, ...patched } = patchedOf(client, shown)
  return store(client, { ...patched, patches: [...patches, patch] })
}

/** Removes a patch. Returns the conversation as shown before and now; undefined if the patch is unknown. */
export function release(client: QueryClient, id: string, patch: Patch): [Conversation, Conversation] | undefined {
  const patched = read(client, id)
  if (!patched?.patches.includes(patch)) return undefined
  return [
    withPatches(patched),
    store(client, { ...patched, patches: patched.patches.filter((other) => other !== patch) }),
  ]
}

/** Sets or removes the result of an undo, which is shown above all patches. */
export function setReturning(client: QueryClient, shown: Conversation, returning: Patch | undefined): Conversation {
  return store(client, { ...patchedOf(client, shown), returning })
}

/** The result of an undo that is still shown, if any. */
export function returningPatch(client: QueryClient, id: string): Patch | undefined {
  return read(client, id)?.returning
}

/** The latest state from the server of a shown conversation. */
export function serverStateOf(client: QueryClient, shown: Conversation): Conversation {
  return read(client, shown.id)?.server ?? shown
}

/** Applies pending patches to the server's answer. */
export function withPatchesOf(client: QueryClient, server: Conversation): Conversation {
  const patched = read(client, server.id)
  if (!patched) return server
  return server.version < patched.server.version ? withPatches(patched) : store(client, { ...patched, server })
}

/** A patched conversation, which may be in no list at the moment; undefined if it has no patches. */
export function findPatched(client: QueryClient, id: string): Conversation | undefined {
  const patched = read(client, id)
  return patched && withPatches(patched)
}

/** Applies a change of a customer or tag to all patched conversations. */
export function applyToPatched(client: QueryClient, apply: (server: Conversation) => Conversation) {
  for (const [, patched] of client.getQueriesData<Patched>({ queryKey: [KEY] })) {
    if (patched) store(client, { ...patched, server: apply(patched.server) })
  }
}

function patchedOf(client: QueryClient, shown: Conversation): Patched {
  return read(client, shown.id) ?? { server: shown, patches: [] }
}

/** Stored in the query cache, so that it is cleared with the conversations when another user signs in. */
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
