import { Card, Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './layout.module.css'

/** A number with its name, linked to its list if there is one. */
export function Figure({
  label,
  value,
  to,
  note,
  isBad,
}: {
  label: string
  /** Undefined while it is loading. */
  value: string | number | undefined
  to?: string
  note?: ReactNode
  isBad?: boolean
}) {
  const body = (
    <>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={{ base: 20, sm: 26 }} lh={1.5} fw={650} {...(isBad && { c: 'red' })} component="div">
        {value === undefined ? <Skeleton height={30} width={80} my={5} /> : value.toLocaleString()}
      </Text>
      {note !== undefined && (
        <Text size="xs" c="dimmed" component="div">
          {note}
        </Text>
      )}
    </>
  )
  return to ? (
    <Card component={Link} to={to} withBorder className={classes.linked}>
      {body}
    </Card>
  ) : (
    <Card withBorder>{body}</Card>
  )
}
