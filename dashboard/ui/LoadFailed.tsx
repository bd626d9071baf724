import { Button, ButtonLink } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

interface FailedProps {
  title: string
  text: string
  retryLabel: string
  retry?: (() => void) | undefined
  /** The way back to where it stood in a list: another try may find it as little. */
  back?: { to: string; label: string }
  /** The title is that of the whole page. */
  isPage?: boolean
}

/** What stands where something could not be loaded: what happened, another try, and a way on. */
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
