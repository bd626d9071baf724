interface KeyPress {
  key: string
  metaKey: boolean
  ctrlKey: boolean
  keyCode: number
  nativeEvent: { isComposing: boolean }
}

/**
 * Whether the key sends: Cmd or Ctrl with Enter, except during input method composition, which older browsers report as
 * key code 229.
 */
export function isSendKey({ key, metaKey, ctrlKey, keyCode, nativeEvent }: KeyPress): boolean {
  if (nativeEvent.isComposing || keyCode === 229) return false
  return key === 'Enter' && (metaKey || ctrlKey)
}
