import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Lambda } from '#contract/developers/functions.ts'
import { useAutosave } from '../../../platform/forms/useAutosave.ts'
import { logError } from '../../../platform/http/errors.ts'
import { saveFunction } from './queries.ts'

export type FunctionDraft = Pick<Lambda, 'name' | 'events'> & { description: string; code: string }

/** The edits to a function, saved after a pause. Unedited fields follow the server. */
export function useFunctionDraft(lambda: Lambda) {
  const client = useQueryClient()
  const [edits, setEdits] = useState<Partial<FunctionDraft>>({})
  const latest = useRef(edits)
  const { state, schedule, flush } = useAutosave(async () => {
    try {
      await saveFunction(client, lambda.id, latest.current)
    } catch (error) {
      logError('Function not saved', error)
      throw error
    }
  })
  const saved = { ...lambda, description: lambda.description ?? '', code: lambda.code ?? '' }
  return {
    draft: { ...saved, ...edits },
    state,
    change(changes: Partial<FunctionDraft>) {
      latest.current = { ...latest.current, ...changes }
      setEdits(latest.current)
      schedule()
    },
    /** Saves pending edits at once. */
    flush,
  }
}
