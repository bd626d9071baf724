/** Focuses the first invalid field of a form, after the errors are rendered. */
export function focusInvalid(form: HTMLElement) {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
