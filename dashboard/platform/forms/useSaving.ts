import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { errorText, logError } from '../http/errors.ts'

export interface Saving {
  saving: boolean
  /** Why it was not taken, in a sentence to show in the form. */
  error: string | undefined
  submit: (event: FormEvent) => Promise<void>
}

/**
 * A mutation that runs when a form is sent, once at a time. A refusal is kept to be shown, in the words of `tell`; what was
 * typed stays.
 */
export function useSaving(save: () => Promise<void>, tell: (refusal: unknown) => string = errorText): Saving {
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: save,
    onError: (refusal) => logError('Not saved', refusal),
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    // What is refused is shown by `error`.
    if (!isPending) await mutateAsync().catch(() => undefined)
  }
  return { saving: isPending, error: error ? tell(error) : undefined, submit }
}
