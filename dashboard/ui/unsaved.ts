/** Answers whether a form has text that is lost if it is left now. */
type Check = () => boolean

/** The forms on screen; `null` for those that are not one element. */
const forms = new Map<Check, Element | null>()

/** Adds a form, until the returned function is called. While there is one, closing the window asks, too. */
export function registerForm(isUnsaved: Check, element: Element | null): () => void {
  if (forms.size === 0) addEventListener('beforeunload', warn)
  forms.set(isUnsaved, element)
  return () => {
    forms.delete(isUnsaved)
    if (forms.size === 0) removeEventListener('beforeunload', warn)
  }
}

function warn(event: BeforeUnloadEvent) {
  if (hasUnsaved()) event.preventDefault()
}

/** Whether a form on screen, or within an element, has unsaved text. */
export function hasUnsaved(within?: Element | null): boolean {
  return [...forms].some(([isUnsaved, form]) => (!within || within.contains(form)) && isUnsaved())
}

let answer: ((mayLeave: boolean) => void) | undefined
const listeners = new Set<() => void>()

/** Asks whether to leave without saving. A second question answers the first one with no. */
export function askToLeave(): Promise<boolean> {
  answer?.(false)
  return new Promise((resolve) => {
    answer = resolve
    for (const listener of listeners) listener()
  })
}

/** Answers the question that is asked. */
export function answerLeaving(mayLeave: boolean) {
  answer?.(mayLeave)
  answer = undefined
  for (const listener of listeners) listener()
}

export function isAskingToLeave(): boolean {
  return answer !== undefined
}

export function onLeaveQuestion(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
