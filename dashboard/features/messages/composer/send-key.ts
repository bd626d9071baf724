interface KeyPress {
  key: string
  metaKey: boolean
  ctrlKey: boolean
  keyCode: number
  nativeEvent: { isComposing: boolean }
}

/** Cmd or Ctrl with Enter sends; never while an input method composes characters, which older browsers call key 229. */
export function isSendKey({ key, metaKey, ctrlKey, keyCode, nativeEvent }: KeyPress): boolean {
  if (nativeEvent.isComposing || keyCode === 229) return false
  return key === 'Enter' && (metaKey || ctrlKey)
}
