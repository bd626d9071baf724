import { type Issue, type IssueState, isGithubIssueUrl } from '#contract/customers/issues.ts'
import type { Tone } from '../../../ui/Pill.tsx'

export const GROUPS = ['recently_done', 'unfinished', 'closed'] as const

/** Groups issues for the page of all issues. */
export function groupIssues(all: readonly Issue[]): Record<(typeof GROUPS)[number], Issue[]> {
  return {
    recently_done: all.filter(({ state }) => state === 'done'),
    unfinished: all.filter(({ state }) => state !== 'done' && state !== 'closed'),
    closed: all.filter(({ state }) => state === 'closed'),
  }
}

/** The link of a GitHub issue, and a short text for it; undefined if the address is not one. */
export function githubLink(url: string | null): { href: string; text: string } | undefined {
  if (!url || !isGithubIssueUrl(url)) return undefined
  const text = url.trim().replace(/^(https?:\/\/)?(www\.)?github\.com\//i, '')
  return { href: `https://github.com/${text}`, text }
}

/** The colors of issue states. */
export const STATE_TONES: Record<IssueState, Tone> = {
  unstarted: 'neutral',
  in_progress: 'warning',
  in_review: 'accent',
  done: 'success',
  closed: 'danger',
}

/** The state changes that an issue's menu offers. */
export function stateChangesOf(state: IssueState): ('done' | 'closed' | 'unstarted')[] {
  const moves: ('done' | 'closed' | 'unstarted')[] = []
  if (state !== 'done') moves.push('done')
  if (state !== 'closed') moves.push('closed')
  if (state !== 'unstarted' && state !== 'in_progress') moves.push('unstarted')
  return moves
}
