/** Puts the focus into the first field of a form that is complained of, once the complaint is drawn. */
export function focusInvalid(form: HTMLElement) {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
