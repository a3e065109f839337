import { defineEvent } from '../../../platform/events.ts'
import { Website } from './schema.ts'

const scope = 'knowledge:read'

export const websiteCreated = defineEvent('website.created', scope, Website)
export const websiteUpdated = defineEvent('website.updated', scope, Website)
export const websiteCrawled = defineEvent('website.crawled', scope, Website)
export const websiteDeleted = defineEvent('website.deleted', scope, Website)

export const websiteEvents = [websiteCreated, websiteUpdated, websiteCrawled, websiteDeleted]
