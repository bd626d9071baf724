// A frame without an origin cannot access the documents of frames, not even its own. The replayer renders into a frame,
// so it gets this document instead of one.

/** An element that the replayer uses as its frame. */
export function createStage(): HTMLElement {
  const stage = document.createElement('div')
  Object.defineProperties(stage, { contentDocument: { value: document }, contentWindow: { value: window } })
  return stage
}

/** Calls a function whose `createElement('iframe')` returns the stage. */
export function withStage<Result>(stage: HTMLElement, make: () => Result): Result {
  const { createElement } = document
  document.createElement = ((name: string) =>
    name === 'iframe' ? stage : createElement.call(document, name)) as typeof createElement
  try {
    return make()
  } finally {
    document.createElement = createElement
  }
}

/** Opening the document for another page removes its elements, but must not remove this script. */
export function keepDocument() {
  const empty = () => {
    while (document.firstChild) document.firstChild.remove()
    return document
  }
  Object.assign(document, { open: empty, close: () => undefined, write: () => undefined, writeln: () => undefined })
}
