import type { QueryClient } from '@tanstack/react-query'
import { assignments } from '#contract/conversations/assignments.ts'
import { call } from '../../../platform/http/api.ts'
import { showError } from '../../../platform/http/errors.ts'
import { availabilityQuery, isAway, setAway } from '../../accounts/availability/queries.ts'
import { openGiveBackQuestion } from '../actions/overlays.ts'

/**
 * The signed-in user goes away, or is back. Whoever goes away with conversations that wait for an answer is asked whether
 * others should get them.
 */
export async function changeAway(client: QueryClient, isLeaving: boolean): Promise<void> {
  try {
    await setAway(client, isLeaving)
    if (!isLeaving) return
    const { data } = await call(assignments.countWaiting, {})
    if (data.count > 0) openGiveBackQuestion(data.count)
  } catch (error) {
    showError('Availability not changed', error)
  }
}

/** Changes to away, or back. */
export async function toggleAway(client: QueryClient, user_id: number): Promise<void> {
  const list = await client.fetchQuery(availabilityQuery).catch(() => undefined)
  await changeAway(client, !isAway(list, user_id))
}

/** Gives back what waits for an answer. */
export async function giveBack(): Promise<void> {
  await call(assignments.giveBack, {}).catch((error) => showError('Conversations not given back', error))
}
