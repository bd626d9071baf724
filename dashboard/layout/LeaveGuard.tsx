import { useEffect, useSyncExternalStore } from 'react'
import { guardHistory, type History } from '../platform/forms/guard-history.ts'
import { lazyComponent } from '../platform/lazy/lazy-component.tsx'
import { LazyMount } from '../ui/LazyMount.tsx'
import { isAskingToLeave, onLeaveQuestion } from '../ui/unsaved.ts'

const LeaveQuestion = lazyComponent(async () => (await import('./LeaveQuestion.tsx')).LeaveQuestion)

/** Asks before a form with unsaved text is left. */
export function LeaveGuard({ history }: { history: History }) {
  const isAsking = useSyncExternalStore(onLeaveQuestion, isAskingToLeave)
  useEffect(() => guardHistory(history), [history])
  return (
    <LazyMount when={isAsking}>
      <LeaveQuestion open={isAsking} />
    </LazyMount>
  )
}
