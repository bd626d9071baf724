import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Rule, type RuleChanges, type RuleDraft, type RuleTrial, rules } from '#contract/conversations/rules.ts'
import { call } from '../../../platform/http/api.ts'
import { RULES_KEY, ruleEventsKey } from './keys.ts'

/** All rules in their order. */
export const rulesQuery = queryOptions({
  queryKey: RULES_KEY,
  queryFn: async ({ signal }) => (await call(rules.list, { signal })).data,
  refetchOnMount: 'always',
})

/** What happened to a conversation, and what each rule made of it. */
export function ruleEventsQuery(conversation_id: string) {
  return queryOptions({
    queryKey: ruleEventsKey(conversation_id),
    queryFn: async ({ signal }) => (await call(rules.ofConversation, { params: { id: conversation_id }, signal })).data,
    refetchOnMount: 'always',
    staleTime: 0,
  })
}

/** Creates a rule, or changes the one with this id. */
export async function saveRule(client: QueryClient, id: string | undefined, draft: RuleDraft): Promise<Rule> {
  const { data } = id
    ? await call(rules.update, { params: { id }, body: { rule: draft } })
    : await call(rules.create, { body: { rule: draft } })
  await client.invalidateQueries({ queryKey: RULES_KEY })
  return data
}

export async function changeRule(client: QueryClient, id: string, changes: RuleChanges): Promise<void> {
  await call(rules.update, { params: { id }, body: { rule: changes } })
  await client.invalidateQueries({ queryKey: RULES_KEY })
}

export async function deleteRule(client: QueryClient, id: string): Promise<void> {
  await call(rules.remove, { params: { id } })
  await client.invalidateQueries({ queryKey: RULES_KEY })
}

/** Moves a rule to a position in the list, at once on screen. */
export async function moveRule(client: QueryClient, id: string, to: number): Promise<void> {
  const before = client.getQueryData(rulesQuery.queryKey) ?? []
  const moved = before.filter((rule) => rule.id === id)
  const others = before.filter((rule) => rule.id !== id)
  const order = [...others.slice(0, to), ...moved, ...others.slice(to)]
  client.setQueryData(rulesQuery.queryKey, order)
  try {
    await call(rules.reorder, { body: { ids: order.map((rule) => rule.id) } })
  } finally {
    await client.invalidateQueries({ queryKey: RULES_KEY })
  }
}

/** Evaluates an unsaved rule on the last conversations, without effects. */
export async function tryRule(rule: Pick<RuleDraft, 'trigger' | 'conditions'>): Promise<RuleTrial[]> {
  return (await call(rules.tryOut, { body: { rule } })).data
}
