/** Runs in the page. Removes features by their names, as the check writes them. */
export function removeFeatures(features: string[]): void {
  const page = globalThis as unknown as Record<string, Record<string, object> | undefined>
  const names = Object.getOwnPropertyNames(globalThis)
  const prototypes = names.flatMap((name) => {
    try {
      return page[name]?.prototype ?? []
    } catch {
      return []
    }
  })
  const remove = (from: object | undefined, name: string) => from && Reflect.deleteProperty(from, name)
  for (const feature of features) {
    const [owner = '', name] = feature.split('.')
    if (name === undefined) remove(globalThis, owner)
    else if (owner) remove(page[owner], name)
    else for (const prototype of prototypes) remove(prototype, name)
  }
}
