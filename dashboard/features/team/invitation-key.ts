/** The query of invitations that still let somebody in. */
export const invitationKey = ['invitations'] as const
