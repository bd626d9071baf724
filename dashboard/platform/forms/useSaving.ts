import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { errorText, logError } from '../http/errors.ts'

export interface Saving {
  saving: boolean
  /** The error message to show in the form. */
  error: string | undefined
  submit: (event: FormEvent) => Promise<void>
}

/** A mutation for submitting a form, one at a time. `describe` turns a failure into the message in `error`. */
export function useSaving(save: () => Promise<void>, describe: (refusal: unknown) => string = errorText): Saving {
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: save,
    onError: (refusal) => logError('Not saved', refusal),
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    // Failures are shown through `error`.
    if (!isPending) await mutateAsync().catch(() => undefined)
  }
  return { saving: isPending, error: error ? describe(error) : undefined, submit }
}
