import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { invalidateSoon } from '../../../platform/realtime/invalidate-soon.ts'
import { openSideSocket } from '../../../platform/realtime/side-socket.ts'
import { runsQuery } from './queries.ts'

/** Refetches the runs of a function when the server reports new ones. */
export function useLiveRuns(account_id: string, id: string) {
  const client = useQueryClient()
  useEffect(() => {
    const socket = openSideSocket()
    const refetch = () => invalidateSoon(client, [runsQuery(id).queryKey])
    const channel = socket.channel(`functions:${account_id}`, {})
    channel.on('functions:ran', ({ function_id }: { function_id: string }) => {
      if (function_id === id) refetch()
    })
    // Runs on every join, because events are missed while disconnected.
    channel.join().receive('ok', refetch)
    return () => socket.disconnect()
  }, [client, account_id, id])
}
