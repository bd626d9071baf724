let viewed: string | undefined

/** Notes which conversation is on screen, so that it stays in its list while somebody reads it. */
export function setViewed(id: string | undefined) {
  viewed = id
}

export function viewedId(): string | undefined {
  return viewed
}
