import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { twoFactor } from '#contract/accounts/two-factor.ts'
import { users } from '#contract/accounts/users.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { google } from '#contract/integrations/google.ts'
import { call } from '../../../platform/http/api.ts'
import { refreshAfter } from '../../../platform/http/refresh-after.ts'
import { applyUserEvent } from '../accounts/account.ts'
import { userKeys } from './keys.ts'

/** Name and picture of the signed-in user. */
export const profileQuery = queryOptions({
  queryKey: userKeys.profile,
  queryFn: async ({ signal }) => (await call(users.profile, { signal })).data,
  refetchOnMount: 'always',
})

export async function updateProfile(
  client: QueryClient,
  user_profile: BodyInput<typeof users.updateProfile>['user_profile'],
): Promise<void> {
  const { data } = await call(users.updateProfile, { body: { user_profile } })
  client.setQueryData(userKeys.profile, data)
  applyUserEvent(client, { event: 'user:updated', payload: data })
}

/** The user's own Gmail: whether it is connected, and its address. */
export const gmailQuery = queryOptions({
  queryKey: userKeys.gmail,
  queryFn: async ({ signal }) => {
    const [authorization, profile] = await Promise.all([
      call(google.get, { query: { client: 'gmail', type: 'personal' }, signal }),
      call(google.profile, { query: { type: 'personal' }, signal }),
    ])
    return { id: authorization.data?.id, email: profile.data?.email }
  },
  refetchOnMount: 'always',
})

export async function disconnectGmail(client: QueryClient, id: string): Promise<void> {
  await refreshAfter(call(google.remove, { params: { id } }), client, userKeys.gmail)
}

/** Changes the password and ends all other sessions. */
export async function changePassword(body: BodyInput<typeof authSessions.changePassword>): Promise<void> {
  await call(authSessions.changePassword, { body })
}

/** The user's sessions. */
export const sessionsQuery = queryOptions({
  queryKey: userKeys.sessions,
  queryFn: async ({ signal }) => (await call(authSessions.list, { signal })).data,
  refetchOnMount: 'always',
})

export async function endSession(client: QueryClient, id: string): Promise<void> {
  await refreshAfter(call(authSessions.end, { params: { id } }), client, userKeys.sessions)
}

/** Ends all sessions except this one. */
export async function endOtherSessions(client: QueryClient): Promise<void> {
  await refreshAfter(call(authSessions.endOthers, {}), client, userKeys.sessions)
}

/** Whether two-factor authentication is on, and how many recovery codes are left. */
export const twoFactorQuery = queryOptions({
  queryKey: userKeys.twoFactor,
  queryFn: async ({ signal }) => (await call(twoFactor.get, { signal })).data,
  refetchOnMount: 'always',
})

/** Creates a secret for an authenticator app. It takes effect once a code is confirmed. */
export async function beginTwoFactor(password: string) {
  return (await call(twoFactor.begin, { body: { password } })).data
}

/** Turns two-factor authentication on and returns the recovery codes, which are shown only once. */
export async function confirmTwoFactor(client: QueryClient, code: string): Promise<string[]> {
  const { data } = await call(twoFactor.confirm, { body: { code } })
  void client.invalidateQueries({ queryKey: userKeys.twoFactor })
  return data.recovery_codes
}

export async function turnOffTwoFactor(client: QueryClient, password: string): Promise<void> {
  await call(twoFactor.remove, { body: { password } })
  void client.invalidateQueries({ queryKey: userKeys.twoFactor })
}
