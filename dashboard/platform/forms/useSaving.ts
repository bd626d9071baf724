import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createFormGuard, type FormGuard } from '../../ui/form-guard.ts'
import { errorText, logError } from '../http/errors.ts'

export interface Saving {
  saving: boolean
  /** The error message to show in the form. */
  error: string | undefined
  submit: (event: FormEvent) => Promise<void>
  /** Asks before unsaved text is lost: `guard.watch` is the form's ref. */
  guard: FormGuard
}

/** A mutation for submitting a form, one at a time. `describe` turns a failure into the message in `error`. */
export function useSaving(save: () => Promise<void>, describe: (refusal: unknown) => string = errorText): Saving {
  const [guard] = useState(createFormGuard)
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: () => guard.save(save),
    onError: (refusal) => logError('Not saved', refusal),
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    // Failures are shown through `error`.
    if (!isPending) await mutateAsync().catch(() => undefined)
  }
  return { saving: isPending, error: error ? describe(error) : undefined, submit, guard }
}
