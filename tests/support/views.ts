import type { ViewConditions } from '#contract/conversations/view-conditions.ts'
import { conversationViews } from '#contract/conversations/views.ts'
import { withoutBystanders } from './bystanders/watched.ts'
import type { Caller } from './fixture.ts'

/** Creates a view as somebody: personal, unless it says otherwise. */
export async function createView(
  who: Caller,
  conditions: ViewConditions,
  more: { name?: string; is_personal?: boolean; sort?: 'activity' | 'due' } = {},
) {
  return (await who(conversationViews.create, { body: { view: { name: 'A view', conditions, ...more } } })).data
}

/** The views of somebody that tests have created. */
export async function viewsOf(who: Caller) {
  return withoutBystanders((await who(conversationViews.list)).data)
}

/** Ids of all conversations of a view in its order, page by page. */
export async function idsOfView(who: Caller, id: string, limit = 50): Promise<string[]> {
  const ids: string[] = []
  let after: string | undefined
  do {
    const { data, next } = await who(conversationViews.conversations, {
      params: { id },
      query: { limit, messages: 'last', ...(after && { after }) },
    })
    ids.push(...data.map((conversation) => conversation.id))
    after = next ?? undefined
  } while (after)
  return ids
}

/** Deletes the views of a test, so that the next one begins without any. */
export async function deleteViews(...people: Caller[]): Promise<void> {
  for (const who of people) {
    for (const { id, is_personal } of await viewsOf(who)) {
      if (is_personal || who === people[0]) await who(conversationViews.remove, { params: { id } })
    }
  }
}
