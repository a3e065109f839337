import type { api as types } from '@frontdesk/sdk'
import { Anchor } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { useCollections } from '../../records/knowledge/use-collections.ts'

/** Links to the collections that a document is in. */
export function DocumentCollections({ document: { collection_ids } }: { document: types.Document }) {
  const collections = useCollections()?.filter(({ id }) => collection_ids.includes(id)) ?? []
  if (collections.length === 0) return '–'
  return collections.map(({ id, name }, index) => (
    <Fragment key={id}>
      {index > 0 && ', '}
      <Anchor component={Link} to={`/knowledge/collections/${id}`} size="sm">
        <bdi>{name}</bdi>
      </Anchor>
    </Fragment>
  ))
}
