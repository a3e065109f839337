import { Button, Group } from '@mantine/core'
import { IconFile } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { Outgoing } from '../../records/messages/outbox.ts'
import { ChatText } from '../../records/templates/chat-text.tsx'
import { sizeOf } from '../../ui/size.ts'
import { DeliveryTicks } from './delivery-ticks.tsx'
import classes from './inbox.module.css'
import { Quote } from './message-bubble.tsx'
import { Interactive } from './rich-content.tsx'
import { TemplateFiles } from './template-files.tsx'

/** A message that is being sent or has failed. */
export function OutgoingBubble({
  message,
  senderName,
  isLastOfBatch,
  onUndo,
  onRetry,
  onDiscard,
}: {
  message: Outgoing
  senderName: string
  /** Messages that were submitted together are taken back together. */
  isLastOfBatch: boolean
  onUndo(): void
  onRetry(): void
  onDiscard(): void
}) {
  const { body, file, quoted, template, rich, state, reason } = message
  const isFailed = state === 'failed'
  return (
    <div className={classes.row} data-own>
      <div
        className={classes.bubble}
        data-own
        data-pending={!isFailed || undefined}
        data-failed={isFailed || undefined}
      >
        <span className="sr-only">You:</span>
        {quoted && <Quote quoted={quoted} senderName={senderName} />}
        {file && <FilePreview file={file} />}
        {template && <TemplateFiles payload={{ template: {}, variables: template.variables }} />}
        {rich?.interactive && <Interactive content={{ ...rich.interactive, body }} />}
        {!rich?.interactive && (body || template) && (
          <div className={classes.body} dir="auto">
            <ChatText text={body} />
          </div>
        )}
        <div className={classes.meta}>
          {template && <span className={classes.author}>Template</span>}
          <DeliveryTicks kind={isFailed ? 'failed' : 'pending'} />
        </div>
      </div>
      {state === 'held' && isLastOfBatch && (
        <div className={classes.held} role="status">
          Sending…
          <Button size="compact-xs" variant="light" onClick={onUndo}>
            Undo
          </Button>
        </div>
      )}
      {isFailed && (
        <div className={classes.failure} role="alert">
          <strong>Not sent.</strong> {reason}
          <Group gap="xs" mt={6}>
            <Button size="compact-xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
            <Button size="compact-xs" variant="subtle" color="gray" onClick={onDiscard}>
              Discard
            </Button>
          </Group>
        </div>
      )}
    </div>
  )
}

/** A thumbnail of an image, else the file name. */
export function FilePreview({ file }: { file: File }) {
  const [address, setAddress] = useState<string>()
  const isPicture = /^image\/(jpeg|png|gif|webp)$/.test(file.type)
  useEffect(() => {
    if (!isPicture) return
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file, isPicture])
  if (isPicture) return <div className={classes.picture}>{address && <img src={address} alt={file.name} />}</div>
  return (
    <div className={classes.file}>
      <IconFile size={20} />
      <span className={classes.fileWords}>
        <strong>{file.name}</strong>
        <span className={classes.fileFacts}>{sizeOf(file.size)}</span>
      </span>
    </div>
  )
}
