import { Component, type ReactNode } from 'react'

interface Props {
  text: string
  children: ReactNode
}

/** A line of the thread or of a list. If drawing it throws, its plain text is shown, and the other lines stay. */
export class Line extends Component<Props> {
  override state = { hasFailed: false }

  override componentDidCatch(error: unknown) {
    console.error(error)
    this.setState({ hasFailed: true })
  }

  override render() {
    const { text, children } = this.props
    return this.state.hasFailed ? <p className="text">{text}</p> : children
  }
}
