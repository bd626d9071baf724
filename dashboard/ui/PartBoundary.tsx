import { Children, Component, isValidElement, type ReactNode, use } from 'react'
import { EmptyLine } from './EmptyLine.tsx'
import { KitLabels } from './kit-labels.ts'

interface BoundaryProps {
  /** Names the part in the console. */
  name: string
  /** What the part shows. When it changes, the part is drawn again. */
  shows?: unknown
  /** Shown instead of a part that throws; by default a sentence. */
  fallback?: ReactNode
  children: ReactNode
}

/** The parts whose failure is in the console already: a list may draw a row again with every movement. */
const reported = new Set<string>()

/** Shows something plain instead of a part that throws while it is drawn, so that its neighbours stay. */
export class PartBoundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidUpdate({ shows }: BoundaryProps, { hasFailed }: { hasFailed: boolean }) {
    if (hasFailed && shows !== this.props.shows) this.setState({ hasFailed: false })
  }

  override componentDidCatch(error: unknown) {
    const { name } = this.props
    if (!reported.has(name)) console.error(`A part could not be drawn: ${name}`, error)
    reported.add(name)
  }

  override render() {
    const { fallback = <Undrawn />, children } = this.props
    return this.state.hasFailed ? fallback : children
  }
}

/** The sentence instead of a part. */
export function Undrawn() {
  const { not_drawn } = use(KitLabels)
  return <EmptyLine>{not_drawn}</EmptyLine>
}

/** Gives each of its children a boundary of its own. */
export function Parts({ name, shows, fallback, children }: BoundaryProps) {
  return Children.map(children, (part, at) =>
    isValidElement(part) ? (
      <PartBoundary key={part.key} name={`${name} ${part.key ?? at + 1}`} shows={shows ?? part} fallback={fallback}>
        {part}
      </PartBoundary>
    ) : (
      part
    ),
  )
}
