import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { readRecording } from './read-recording.ts'

/** Recordings are immutable: fetched once, for playback and for the waveform. */
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
    // Recordings are large, so unused ones are dropped from the cache.
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
