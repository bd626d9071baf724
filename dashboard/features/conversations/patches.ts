import type { QueryClient } from '@tanstack/react-query'
import type { Conversation, ConversationRow } from '#contract/conversations.ts'

/** What is laid over a conversation until the server has answered. */
export type Look = Partial<ConversationRow>

interface Held {
  /** All that the server has told of it. What is heard goes here, below the looks. */
  truth: Conversation
  /** What the server is being asked for, the newest last. */
  looks: readonly Look[]
  /** How it stays on screen although the server is being asked to take it away. */
  returning?: Look | undefined
}

const HELD = 'held-conversations'

/** Lays a look over a conversation, whatever is heard of it, until it is let go. Answers how it is shown from now on. */
export function hold(client: QueryClient, shown: Conversation, look: Look): Conversation {
  const { looks, ...held } = heldOf(client, shown)
  return keep(client, { ...held, looks: [...looks, look] })
}

/** Takes a look away again. Answers how the conversation was shown and how it is now; nothing where nobody holds it. */
export function letGo(client: QueryClient, id: string, look: Look): [Conversation, Conversation] | undefined {
  const held = read(client, id)
  if (!held?.looks.includes(look)) return undefined
  return [dress(held), keep(client, { ...held, looks: held.looks.filter((other) => other !== look) })]
}

/** Keeps a conversation on screen in this look, above all others, or lets it go again. */
export function setReturning(client: QueryClient, shown: Conversation, returning: Look | undefined): Conversation {
  return keep(client, { ...heldOf(client, shown), returning })
}

/** How a conversation is kept on screen that was brought back before it had gone. */
export function returningLook(client: QueryClient, id: string): Look | undefined {
  return read(client, id)?.returning
}

/** What the server has told, for what is shown. */
export function truthOf(client: QueryClient, shown: Conversation): Conversation {
  return read(client, shown.id)?.truth ?? shown
}

/** How what the server tells is to be shown. */
export function asShown(client: QueryClient, truth: Conversation): Conversation {
  const held = read(client, truth.id)
  if (!held) return truth
  return truth.version < held.truth.version ? dress(held) : keep(client, { ...held, truth })
}

/** How a conversation is shown that may stand in no list at the moment; nothing where nobody holds it. */
export function findHeld(client: QueryClient, id: string): Conversation | undefined {
  const held = read(client, id)
  return held && dress(held)
}

/** Tells those that are held what happened to a customer or a tag. */
export function hearOfHeld(client: QueryClient, apply: (truth: Conversation) => Conversation) {
  for (const [, held] of client.getQueriesData<Held>({ queryKey: [HELD] })) {
    if (held) keep(client, { ...held, truth: apply(held.truth) })
  }
}

function heldOf(client: QueryClient, shown: Conversation): Held {
  return read(client, shown.id) ?? { truth: shown, looks: [] }
}

/** Beside the conversations themselves, so that it goes with them when somebody else signs in. */
function read(client: QueryClient, id: string): Held | undefined {
  return client.getQueryData<Held>([HELD, id])
}

function keep(client: QueryClient, held: Held): Conversation {
  const queryKey = [HELD, held.truth.id]
  if (held.looks.length > 0 || held.returning) client.setQueryData(queryKey, held)
  else client.removeQueries({ queryKey })
  return dress(held)
}

function dress({ truth, looks, returning }: Held): Conversation {
  return Object.assign({}, truth, ...looks, returning)
}
