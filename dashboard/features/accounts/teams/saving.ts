import type { QueryClient } from '@tanstack/react-query'
import { type TeamDraft, teams } from '#contract/accounts/teams.ts'
import { assignments } from '#contract/conversations/assignments.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { call } from '../../../platform/http/api.ts'
import { ApiError } from '../../../platform/http/request.ts'
import { dropTeam, storeTeam } from './queries.ts'

/** Creates a team, or changes the one with this id. The server validates the fields. */
export async function saveTeam(client: QueryClient, id: string | undefined, team: TeamDraft): Promise<void> {
  const { data } = id
    ? await call(teams.update, { params: { id }, body: { team } })
    : await call(teams.create, { body: { team } })
  storeTeam(client, data)
}

/** How many conversations belong to a team, closed ones included. */
export async function countOfTeam(team_id: string): Promise<number> {
  return (await call(conversations.count, { query: { team_id } })).data.count
}

/** Disbands a team. Ignores that it was already disbanded elsewhere. */
export async function disbandTeam(client: QueryClient, id: string): Promise<void> {
  await call(assignments.disbandTeam, { params: { id } }).catch((error) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
  dropTeam(client, id)
}
