import { type Issue, type IssueState, isGithubIssueUrl } from '#contract/issues.ts'
import type { Tone } from '../../ui/Pill.tsx'

export const GROUPS = ['recently_done', 'unfinished', 'closed'] as const

/** Where each issue stands on the page of all issues. */
export function groupIssues(all: readonly Issue[]): Record<(typeof GROUPS)[number], Issue[]> {
  return {
    recently_done: all.filter(({ state }) => state === 'done'),
    unfinished: all.filter(({ state }) => state !== 'done' && state !== 'closed'),
    closed: all.filter(({ state }) => state === 'closed'),
  }
}

/** Where the address of an issue elsewhere leads, and the part of it worth reading; undefined where it is none. */
export function githubLink(url: string | null): { href: string; text: string } | undefined {
  if (!url || !isGithubIssueUrl(url)) return undefined
  const text = url.trim().replace(/^(https?:\/\/)?(www\.)?github\.com\//i, '')
  return { href: `https://github.com/${text}`, text }
}

/** The colours that states have everywhere: grey, orange, blue, green, red. */
export const STATE_TONES: Record<IssueState, Tone> = {
  unstarted: 'neutral',
  in_progress: 'warning',
  in_review: 'accent',
  done: 'success',
  closed: 'danger',
}

/** Where the menu of an issue offers to move it. */
export function movesOf(state: IssueState): ('done' | 'closed' | 'unstarted')[] {
  const moves: ('done' | 'closed' | 'unstarted')[] = []
  if (state !== 'done') moves.push('done')
  if (state !== 'closed') moves.push('closed')
  if (state !== 'unstarted' && state !== 'in_progress') moves.push('unstarted')
  return moves
}
