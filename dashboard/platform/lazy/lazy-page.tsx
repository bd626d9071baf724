import { type ComponentType, use } from 'react'

/** A failure is remembered for this time, because React renders repeatedly; after it, loading is tried again. */
const FAILED_MS = 2_000

/**
 * A page whose code is loaded when it is first rendered, or earlier by `fetch`. Unlike with React's `lazy`, a page
 * fetched ahead renders at once: React shows a fallback for at least a third of a second. If loading fails, rendering
 * throws to the error boundary.
 */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<ComponentType<Props>> | undefined
  let loaded: ComponentType<Props> | undefined

  function fetch(): Promise<ComponentType<Props>> {
    loading ??= load().then(
      (component) => {
        loaded = component
        return component
      },
      (error: unknown) => {
        setTimeout(() => (loading = undefined), FAILED_MS)
        throw error
      },
    )
    return loading
  }

  function Page(props: Props) {
    const Component = loaded ?? use(fetch())
    return <Component {...props} />
  }
  return Object.assign(Page, { fetch })
}
