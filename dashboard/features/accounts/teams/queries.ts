import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Team, type TeamDraft, teams } from '#contract/accounts/teams.ts'
import { assignments } from '#contract/conversations/assignments.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import type { ClientEvent } from '#contract/events.ts'
import { call } from '../../../platform/http/api.ts'
import { ApiError } from '../../../platform/http/request.ts'

/** All teams by name. */
export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: async ({ signal }) => (await call(teams.list, { signal })).data,
})

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

/** An admin added, changed or disbanded a team. */
export function applyTeamEvent(client: QueryClient, event: ClientEvent) {
  if (event.event === 'team:updated') storeTeam(client, event.payload)
  if (event.event === 'team:deleted') dropTeam(client, event.payload.id)
}

function storeTeam(client: QueryClient, team: Team) {
  const byName = (one: Team, other: Team) => one.name.localeCompare(other.name)
  client.setQueryData(
    teamsQuery.queryKey,
    (list) => list && [...list.filter(({ id }) => id !== team.id), team].sort(byName),
  )
}

function dropTeam(client: QueryClient, id: string) {
  client.setQueryData(teamsQuery.queryKey, (list) => list?.filter((team) => team.id !== id))
}
