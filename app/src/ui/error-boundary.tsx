import { Component, type ReactNode } from 'react'
import { Failure } from './failure.tsx'
import { useUi } from './ui-provider.tsx'

export interface ErrorBoundaryProps {
  children: ReactNode
  /** A change of it (the address) gives the part another try. */
  resetKey?: string | undefined
  /** What to draw instead; a failure with "Try again" by default. */
  fallback?: ((error: unknown, retry: () => void) => ReactNode) | undefined
  onError?: ((error: unknown) => void) | undefined
}

interface State {
  failed: boolean
  error?: unknown
  resetKey: string | undefined
}

/** Keeps a broken part from taking the page with it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { failed: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: true, error }
  }

  static getDerivedStateFromProps(props: ErrorBoundaryProps, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { failed: false, error: undefined, resetKey: props.resetKey }
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError?.(error)
  }

  readonly retry = () => this.setState({ failed: false, error: undefined })

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return this.props.fallback?.(this.state.error, this.retry) ?? <Broken error={this.state.error} onRetry={this.retry} />
  }
}

function Broken({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { words } = useUi()
  return (
    <Failure title={words.screenFailed} onRetry={onRetry} technical={error instanceof Error ? `${error.name}: ${error.message}` : String(error)}>
      {words.screenFailedHint}
    </Failure>
  )
}
