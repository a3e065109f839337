import { Text } from '@mantine/core'
import { Link } from 'react-router'
import { PhonePreview } from '../../records/templates/phone-preview.tsx'
import { RecordPage } from '../../ui/record-page.tsx'
import { kinds } from './template-kinds.ts'
import classes from './templates.module.css'

/** The first step of a new template: what it should be, each kind with a picture of it. */
export function KindPicker() {
  return (
    <RecordPage list={{ to: '/templates', label: 'Templates' }} title="New template">
      <Text c="dimmed" mb="md">
        What do you want to send?
      </Text>
      <ul className={classes.kinds}>
        {Object.entries(kinds).map(([kind, { label, meaning, example }]) => (
          <li key={kind} className={classes.kind}>
            {/* A picture: its parts are not for the keyboard or for screen readers. */}
            <div className={classes.kindPicture} aria-hidden inert>
              <PhonePreview components={example} />
            </div>
            <div className={classes.kindWords}>
              <Link to={`/templates/new?kind=${kind}`} className={classes.kindLink}>
                {label}
              </Link>
              <Text size="sm" c="dimmed">
                {meaning}
              </Text>
            </div>
          </li>
        ))}
      </ul>
    </RecordPage>
  )
}
