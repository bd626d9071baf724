import { Button, ButtonLink } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

interface FailedProps {
  title: string
  text: string
  retryLabel: string
  retry?: (() => void) | undefined
  /** A link back to the list, where a retry may not help. */
  back?: { to: string; label: string }
  /** Whether the title is the heading of the page. */
  isPage?: boolean
}

/** Shown if loading failed: the error, a retry button, and a link back. */
export function LoadFailed({ title, text, retryLabel, retry, back, isPage = false }: FailedProps) {
  const state = (
    <EmptyState
      alert
      isPage={isPage}
      drawing={isPage ? 'lost' : 'apart'}
      title={title}
      text={text}
      action={
        (retry || back) && (
          <>
            {retry && <Button onClick={() => retry()}>{retryLabel}</Button>}
            {back && <ButtonLink to={back.to}>{back.label}</ButtonLink>}
          </>
        )
      }
    />
  )
  if (!isPage) return state
  return (
    <main className="fill column" style={{ flex: 1 }}>
      {state}
    </main>
  )
}
