import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../data/api.ts'
import { once } from '../../data/once.ts'
import { useRefresh } from '../../data/use-records.ts'
import { errorText } from '../../ui/error-text.ts'
import { bodyOf, type Draft, dropDraft } from './campaign-draft.ts'

/** Creates or updates the campaign and opens its page. */
export function useSending({
  draft,
  which,
  campaignId,
}: {
  draft: Draft
  which: string
  campaignId: string | undefined
}) {
  const navigate = useNavigate()
  const refresh = useRefresh('campaigns')
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState('')
  const [done, setDone] = useState<string>()
  // The unsaved-changes guard has to see the saved form first.
  useEffect(() => {
    if (done) void navigate(`/campaigns/${done}`, { replace: true })
  }, [done, navigate])
  async function send() {
    setSending(true)
    setProblem('')
    try {
      const body = bodyOf(draft)
      const { id } = campaignId
        ? await api.campaigns.update(campaignId, {
            ...body,
            scheduled_at: body.scheduled_at ?? null,
            sending_times: body.sending_times ?? null,
            template_variables: body.template_variables ?? null,
          })
        : await once('campaign', body, (idempotencyKey) => api.campaigns.create(body, { idempotencyKey }))
      dropDraft(which)
      void refresh()
      setDone(id)
    } catch (error) {
      setProblem(errorText(error))
      setSending(false)
    }
  }
  return { isSending, problem, send }
}
