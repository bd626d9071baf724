import { Button } from 'antd'
import { EmptyState } from './EmptyState.tsx'

interface FailedProps {
  title: string
  text: string
  retryLabel: string
  retry?: (() => void) | undefined
  /** The title is that of the whole page. */
  isPage?: boolean
}

/** What stands where something could not be loaded: what happened, and another try. */
export function LoadFailed({ title, text, retryLabel, retry, isPage = false }: FailedProps) {
  const state = (
    <EmptyState
      alert
      isPage={isPage}
      drawing={isPage ? 'lost' : 'apart'}
      title={title}
      text={text}
      action={retry && <Button onClick={() => retry()}>{retryLabel}</Button>}
    />
  )
  if (!isPage) return state
  return (
    <main className="fill column" style={{ flex: 1 }}>
      {state}
    </main>
  )
}
