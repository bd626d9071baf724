import { type FormEvent, useState } from 'react'
import { errorText, logError } from '../http/errors.ts'

export interface Saving {
  saving: boolean
  /** Why it was not taken, in a sentence to show in the form. */
  error: string | undefined
  submit: (event: FormEvent) => Promise<void>
}

/**
 * Runs `save` when a form is sent, once at a time. A refusal is kept to be shown, in the words of `tell`; what was typed
 * stays.
 */
export function useSaving(save: () => Promise<void>, tell: (refusal: unknown) => string = errorText): Saving {
  const [saving, setSaving] = useState(false)
  const [error, setError] = useState<string>()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (saving) return
    setSaving(true)
    setError(undefined)
    try {
      await save()
    } catch (refusal) {
      logError('Not saved', refusal)
      setError(tell(refusal))
    }
    setSaving(false)
  }
  return { saving, error, submit }
}
