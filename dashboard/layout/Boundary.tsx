import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { logError } from '../platform/http/errors.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

interface BoundaryProps {
  /** When it changes, the boundary tries again. */
  path?: string
  children: ReactNode
}

/** Shows an error page instead of a blank one when a screen throws or its code cannot be loaded. */
export class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidUpdate({ path }: BoundaryProps, { hasFailed }: { hasFailed: boolean }) {
    if (hasFailed && path !== this.props.path) this.setState({ hasFailed: false })
  }

  override componentDidCatch(error: unknown) {
    logError('The screen could not be drawn', error)
  }

  override render() {
    return this.state.hasFailed ? <Broken /> : this.props.children
  }
}

function Broken() {
  const { t } = useTranslation()
  return (
    <main className="fill column">
      <EmptyState
        isPage
        alert
        drawing="apart"
        title={t('failure.broken')}
        text={t('failure.broken_text')}
        action={
          <Button variant="primary" onClick={() => location.reload()}>
            {t('failure.reload')}
          </Button>
        }
      />
    </main>
  )
}
