import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createFormGuard, type FormGuard } from '../../ui/form-guard.ts'
import { errorText, logError } from '../http/errors.ts'
import { ApiError } from '../http/request.ts'

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
    onError: (refusal) => {
      if (!isRefusal(refusal)) logError('Not saved', refusal)
    },
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    // Failures are shown through `error`.
    if (!isPending) await mutateAsync().catch(() => undefined)
  }
  return { saving: isPending, error: error ? describe(error) : undefined, submit, guard }
}

/** The server's or the form's own words about what was entered, which the form shows: a form throws plain errors. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ApiError) return error.status < 500
  return error instanceof Error && error.constructor === Error
}
