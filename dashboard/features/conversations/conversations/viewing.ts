let viewed: string | undefined

/** Records which conversation is open, so that it stays in its list. */
export function setViewed(id: string | undefined) {
  viewed = id
}

export function viewedId(): string | undefined {
  return viewed
}
