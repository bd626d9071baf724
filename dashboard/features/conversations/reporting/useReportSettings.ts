import { useSearchParams } from 'react-router'
import { CONVERSATION_SOURCES } from '#contract/conversations/sources.ts'
import type { ReportQuestion } from './queries.ts'
import { DEFAULT_PRESET, isDay, PRESETS, type Preset, type Range, rangeOf, todayIn } from './range.ts'

export interface ReportSettings {
  question: ReportQuestion
  preset: Preset | 'custom'
  compare: boolean
  /** Sets parameters of the address, or removes them. */
  set(changes: Record<string, string | undefined>): void
}

/** Settings in the address, so that reports can be shared and survive a reload. */
export function useReportSettings(time_zone: string | null): ReportSettings {
  const [params, setParams] = useSearchParams()
  const today = todayIn(time_zone, new Date())
  const { preset, range } = readRange(params, today)
  const assignee = params.get('assignee_id')
  const source = CONVERSATION_SOURCES.find((candidate) => candidate === params.get('source'))
  return {
    preset,
    compare: params.get('compare') === 'true',
    question: {
      ...range,
      inbox_id: params.get('inbox_id') ?? undefined,
      source,
      assignee_id: assignee === 'nobody' ? 'nobody' : Number(assignee) || undefined,
      team_id: params.get('team_id') ?? undefined,
      tag_id: params.get('tag_id') ?? undefined,
      working_hours: params.get('working_hours') === 'true',
    },
    set(changes) {
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined || value === '') after.delete(name)
            else after.set(name, value)
          }
          return after
        },
        { replace: true },
      )
    },
  }
}

function readRange(params: URLSearchParams, today: string): { preset: Preset | 'custom'; range: Range } {
  const [from, to] = [params.get('from'), params.get('to')]
  if (isDay(from) && isDay(to) && from <= to) return { preset: 'custom', range: { from, to } }
  const preset = PRESETS.find((candidate) => candidate === params.get('range')) ?? DEFAULT_PRESET
  return { preset, range: rangeOf(preset, today) }
}
