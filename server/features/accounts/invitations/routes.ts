import { invitations } from '#contract/accounts/invitations.ts'
import type { Context } from '../../../context.ts'
import { BadRequest, missingParameters, NotFound } from '../../../errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { recordAudit } from '../audit/audit.ts'
import {
  checkInvitation,
  createInvitation,
  deleteInvitation,
  getInvitation,
  listInvitations,
  updateInvitation,
} from './invitations.ts'
import { consumeInvitation, mailInvitation, resendInvitation } from './mailed-invitations.ts'

export function registerInvitationsRoutes(routes: Routes, context: Context) {
  const { config, db, change } = context
  routes.route(invitations.list, async ({ caller }) => ({ data: await listInvitations(db, caller.account_id) }))
  routes.route(invitations.get, async ({ caller, params }) => ({
    data: await getInvitation(db, caller.account_id, params.id),
  }))
  routes.route(invitations.create, async ({ caller }) => ({
    data: await change(async (tx) => {
      const invitation = await createInvitation(context, tx, caller.account_id, caller.user_id)
      await recordAudit(tx, caller, { action: 'invitation.created', subject_id: invitation.id })
      // Clients of Papercups use the id for the link that they show.
      return { ...invitation, id: invitation.token }
    }),
  }))
  routes.route(invitations.update, async ({ caller, params, body }) => ({
    data: await change(async (tx) => {
      const { expires_at } = body.user_invitation
      const invitation = await updateInvitation(tx, caller.account_id, params.id, expires_at)
      await recordAudit(tx, caller, { action: 'invitation.updated', subject_id: invitation.id })
      return invitation
    }),
  }))
  routes.route(invitations.remove, ({ caller, params }) =>
    change(async (tx) => {
      await recordAudit(tx, caller, { action: 'invitation.deleted', subject_id: params.id })
      return deleteInvitation(tx, caller.account_id, params.id)
    }),
  )
  routes.route(invitations.resend, async ({ caller, params }) => {
    if (!config.userInvitationEmail) throw new NotFound('Invitations by email are not enabled on this server.')
    await consumeInvitation(context, caller)
    return {
      data: await change(async (tx) => {
        const invitation = await resendInvitation(context, tx, caller, params.id)
        const audited = { action: 'invitation.mailed', subject_id: invitation.id, subject_name: invitation.email }
        await recordAudit(tx, caller, audited)
        return invitation
      }),
    }
  })
  routes.route(invitations.check, async ({ body }) => ({ data: await checkInvitation(context, body.invite_token) }))
  routes.route(invitations.email, async ({ caller, body }) => {
    if (!config.userInvitationEmail) throw new NotFound('Invitations by email are not enabled on this server.')
    const to = body.to_address ?? body.email
    if (!to) throw new BadRequest(missingParameters('to_address'))
    await consumeInvitation(context, caller)
    await change(async (tx) => {
      const { id } = await mailInvitation(context, tx, caller, to)
      const audited = { action: 'invitation.mailed', subject_id: id, subject_name: to }
      await recordAudit(tx, caller, audited)
    })
    return {}
  })
}
