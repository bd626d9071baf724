import { type ComponentType, use } from 'react'

/** Drawing goes on and on; whoever comes back later than this tries anew. */
const FAILED_MS = 2_000

/**
 * A page whose code is loaded when it is first shown, or before that by `fetch`. Unlike React's `lazy`, one that was
 * fetched ahead is drawn at once: React holds every placeholder it has shown for a third of a second. Where loading fails
 * drawing throws, for a boundary to tell.
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
