import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { readRecording } from './read-recording.ts'

/** A recording never changes: it is fetched once, for the ear and for the eye. */
export function useRecording(callId: string) {
  const { mode } = useSession()
  const { data, error, refetch, isPending } = useQuery({
    queryKey: [mode, 'recordings', callId],
    queryFn: async ({ signal }) => {
      const response = await api.calls.getRecording(callId, { signal })
      const file = await response.arrayBuffer()
      return { blob: new Blob([file], { type: 'audio/wav' }), recording: readRecording(file) }
    },
    staleTime: Number.POSITIVE_INFINITY,
    // They are large: one that nobody listens to is let go.
    gcTime: 60_000,
  })
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(data.blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  return { address, recording: data?.recording, error, refetch, isPending }
}
