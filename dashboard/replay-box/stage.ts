// In a frame without an origin no frame can be looked into, not even one of its own. So the replayer, which draws into a
// frame, is given this document for one.

/** An element that the replayer takes for the frame into which it draws. */
export function createStage(): HTMLElement {
  const stage = document.createElement('div')
  Object.defineProperties(stage, { contentDocument: { value: document }, contentWindow: { value: window } })
  return stage
}

/** Runs what asks for a frame, and gives it the stage. */
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

/** A document that is opened for another page loses its elements, and nothing else: not the script that draws them. */
export function keepDocument() {
  const empty = () => {
    while (document.firstChild) document.firstChild.remove()
    return document
  }
  Object.assign(document, { open: empty, close: () => undefined, write: () => undefined, writeln: () => undefined })
}
