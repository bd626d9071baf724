import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { type Account, accounts, mayManageCustomers } from '#contract/accounts/accounts.ts'
import { authSessions, type Me } from '#contract/accounts/auth-sessions.ts'
import type { User } from '#contract/accounts/users.ts'
import { erasure } from '#contract/customers/erasure.ts'
import type { ClientEvent } from '#contract/events.ts'
import { call } from '../../../platform/http/api.ts'
import { logError } from '../../../platform/http/errors.ts'

/** The signed-in user, or null if it could not be loaded. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }): Promise<Me | null> => {
    try {
      return (await call(authSessions.me, { signal })).data
    } catch (error) {
      if (signal.aborted) throw error
      logError('Current user not loaded', error)
      return null
    }
  },
})

/** The account with its users, or null if it could not be loaded. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }): Promise<Account | null> => {
    try {
      return (await call(accounts.mine, { signal })).data
    } catch (error) {
      if (signal.aborted) throw error
      logError('Account not loaded', error)
      return null
    }
  },
})

/** An admin changed the account. `is_outside_working_hours` is only updated by the next load. */
export function applyAccountEvent(client: QueryClient, event: ClientEvent) {
  if (event.event !== 'account:updated') return
  client.setQueryData(accountQuery.queryKey, (account) => account && { ...account, ...event.payload })
}

/** A teammate's name, picture or role changed, or somebody joined or left the team. */
export function applyUserEvent(client: QueryClient, event: ClientEvent) {
  if (event.event !== 'user:updated') return
  const user = event.payload
  client.setQueryData(accountQuery.queryKey, (account) => {
    if (!account) return account
    const others = account.users.filter(({ id }) => id !== user.id)
    const users = user.archived_at ? others : [...others, user].sort((a, b) => a.id - b.id)
    return { ...account, users }
  })
  client.setQueryData(meQuery.queryKey, (me) => me && (me.id === user.id ? { ...me, role: user.role } : me))
}

export interface Team {
  me: Me
  account: Account
}

export const TeamContext = createContext<Team | null>(null)

/** The signed-in user and their account. Only inside the frame of signed-in pages. */
export function useTeam(): Team {
  const team = useContext(TeamContext)
  if (!team) throw new Error('useTeam needs the signed-in frame around it')
  return team
}

/** Whether the signed-in user may export and delete customers. */
export function useMayManageCustomers(): boolean {
  const { me, account } = useTeam()
  return mayManageCustomers(me.role, account.settings)
}

/** Users to whom a conversation can be assigned. Disabled ones only appear if it is already theirs. */
export function assignable(users: User[], assignee_id: number | null): User[] {
  return users.filter((user) => !user.disabled_at || user.id === assignee_id)
}

/** Deletes the account with all its data. */
export async function closeAccount(company_name: string): Promise<void> {
  await call(erasure.closeAccount, { body: { company_name } })
}
