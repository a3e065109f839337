import { defineRecordEvents } from '../../platform/record-events.ts'
import { Schedule } from './schema.ts'

export const scheduleEvents = defineRecordEvents('schedule', 'inbox:read', Schedule)
