import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { invitations } from '#contract/accounts/invitations.ts'
import { team } from '#contract/accounts/team.ts'
import { push } from '#contract/conversations/push.ts'
import { call } from '../../../platform/http/api.ts'
import { refreshAfter } from '../../../platform/http/refresh-after.ts'
import { applyUserEvent } from '../accounts/account.ts'

/** Actions that need confirmation. */
export type ConfirmedUserAction = 'disable' | 'archive' | 'remove_two_factor' | 'remove_push_devices'
export type UserAction = 'make_admin' | 'revoke_admin' | 'enable' | ConfirmedUserAction

/** Invitations that can still be used. */
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'] as const,
  queryFn: async ({ signal }) => (await call(invitations.list, { signal })).data,
  refetchOnMount: 'always',
})

const changed = (client: QueryClient) => client.invalidateQueries({ queryKey: invitationsQuery.queryKey })

/** Sends an invitation to one colleague. */
export async function inviteByEmail(client: QueryClient, to_address: string): Promise<void> {
  await call(invitations.email, { body: { to_address } })
  void changed(client)
}

/** Creates an invitation link and returns its address. */
export async function makeInviteLink(client: QueryClient): Promise<string> {
  const { data } = await call(invitations.create, {})
  void changed(client)
  return `${location.origin}/register/${data.token}`
}

/** Sends the link of an invitation again. */
export async function resendInvitation(client: QueryClient, id: string): Promise<void> {
  await refreshAfter(call(invitations.resend, { params: { id } }), client, invitationsQuery.queryKey)
}

/** Revokes an invitation, so that its link no longer works. */
export async function revokeInvitation(client: QueryClient, id: string): Promise<void> {
  await refreshAfter(call(invitations.remove, { params: { id } }), client, invitationsQuery.queryKey)
}

/** Changes a teammate's role, disables or enables them, or removes a second factor or devices that they lost. */
export async function changeUser(client: QueryClient, action: UserAction, id: number): Promise<void> {
  if (action === 'remove_push_devices') return void (await call(push.removeDevicesOfUser, { params: { id } }))
  if (action === 'remove_two_factor') return void (await call(team.removeTwoFactor, { params: { id } }))
  const { data } = await send(action, id)
  applyUserEvent(client, { event: 'user:updated', payload: data })
}

function send(action: Exclude<UserAction, 'remove_two_factor' | 'remove_push_devices'>, id: number) {
  const params = { id }
  if (action === 'disable') return call(team.disable, { params })
  if (action === 'enable') return call(team.enable, { params })
  if (action === 'archive') return call(team.archive, { params })
  return call(team.setRole, { params, body: { role: action === 'make_admin' ? 'admin' : 'user' } })
}
