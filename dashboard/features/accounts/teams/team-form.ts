import type { AssignmentMode, Team, TeamDraft } from '#contract/accounts/teams.ts'

/** A team as it is typed: limits are texts, and empty ones mean none. */
export interface TeamForm {
  name: string
  assignment: AssignmentMode
  has_everybody: boolean
  open_limit: string
  return_after_minutes: number
  member_ids: string[]
  /** Limits of their own, by member. */
  limits: Record<string, string>
  inbox_ids: string[]
}

/** What a new team starts with: everybody, so that a small shop need not choose. */
export const NEW_TEAM: TeamForm = {
  name: '',
  assignment: 'least_open',
  has_everybody: true,
  open_limit: '5',
  return_after_minutes: 0,
  member_ids: [],
  limits: {},
  inbox_ids: [],
}

/** Fills the form from a team. */
export function formOf(team: Team): TeamForm {
  const { name, assignment, has_everybody, inbox_ids, members } = team
  return {
    name,
    assignment,
    has_everybody,
    inbox_ids,
    open_limit: textOf(team.open_limit),
    return_after_minutes: team.return_after_minutes ?? 0,
    member_ids: members.map(({ user_id }) => String(user_id)),
    limits: Object.fromEntries(members.map(({ user_id, open_limit }) => [user_id, textOf(open_limit)])),
  }
}

/** What is sent for a form. */
export function draftOf({ member_ids, limits, open_limit, return_after_minutes, ...rest }: TeamForm): TeamDraft {
  return {
    ...rest,
    open_limit: numberOf(open_limit),
    return_after_minutes: return_after_minutes || null,
    members: member_ids.map((id) => ({ user_id: Number(id), open_limit: numberOf(limits[id] ?? '') })),
  }
}

function textOf(limit: number | null): string {
  return limit === null ? '' : String(limit)
}

function numberOf(text: string): number | null {
  const digits = text.replace(/\D/g, '')
  return digits === '' ? null : Number(digits)
}
