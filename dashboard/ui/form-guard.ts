import { useEffect, useRef } from 'react'
import { registerForm } from './unsaved.ts'

/** For text that is not in a form, such as the code of a template. */
export function useUnsaved(isUnsaved: boolean) {
  const latest = useRef(isUnsaved)
  latest.current = isUnsaved
  useEffect(() => registerForm(() => latest.current, null), [])
}

export type FormGuard = ReturnType<typeof createFormGuard>

/**
 * Notices what a person enters in a form: `watch` is the form's ref, `save` runs what saves it. What was filled in by
 * the page does not count, nor what was changed back.
 */
export function createFormGuard() {
  let form: HTMLElement | null = null
  let saved = ''
  let isTouched = false
  let isSaving = false
  const isUnsaved = () => isTouched && !isSaving && !!form && contentOf(form) !== saved
  const touch = () => {
    isTouched = true
  }
  const remember = () => {
    if (form && !isTouched) saved = contentOf(form)
  }
  return {
    watch(element: HTMLElement | null) {
      if (!element) return undefined
      form = element
      isTouched = false
      remember()
      element.addEventListener('focusin', remember)
      element.addEventListener('beforeinput', remember)
      element.addEventListener('input', touch)
      const unregister = registerForm(isUnsaved, element)
      return () => {
        unregister()
        element.removeEventListener('focusin', remember)
        element.removeEventListener('beforeinput', remember)
        element.removeEventListener('input', touch)
        form = null
      }
    },
    /** Whoever saves may leave: the work itself often opens the next page. */
    async save(work: () => Promise<void>) {
      isSaving = true
      isTouched = false
      if (form) saved = contentOf(form)
      try {
        await work()
      } catch (error) {
        isTouched = true
        saved = ''
        throw error
      } finally {
        isSaving = false
      }
    },
  }
}

function contentOf(form: HTMLElement): string {
  const fields = form.querySelectorAll<HTMLInputElement>('input, textarea, select')
  return JSON.stringify(Array.from(fields, ({ type, value, checked }) => (type === 'checkbox' ? checked : value)))
}
