import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Team, teams } from '#contract/accounts/teams.ts'
import type { ClientEvent } from '#contract/events.ts'
import { call } from '../../../platform/http/api.ts'

/** All teams by name. */
export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: async ({ signal }) => (await call(teams.list, { signal })).data,
})

/** An admin added, changed or disbanded a team. */
export function applyTeamEvent(client: QueryClient, event: ClientEvent) {
  if (event.event === 'team:updated') storeTeam(client, event.payload)
  if (event.event === 'team:deleted') dropTeam(client, event.payload.id)
}

/** Adds a team to the list, or replaces it there. */
export function storeTeam(client: QueryClient, team: Team) {
  const byName = (a: Team, b: Team) => a.name.localeCompare(b.name)
  client.setQueryData(
    teamsQuery.queryKey,
    (list) => list && [...list.filter(({ id }) => id !== team.id), team].sort(byName),
  )
}

/** Removes a team from the list. */
export function dropTeam(client: QueryClient, id: string) {
  client.setQueryData(teamsQuery.queryKey, (list) => list?.filter((team) => team.id !== id))
}
