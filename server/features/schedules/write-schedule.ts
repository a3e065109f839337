import type { TenantTx } from '../../platform/database.ts'
import { conflict, found, invalid, violates } from '../../platform/errors.ts'
import { type Principal, refuseTestKey } from '../../platform/http/principal.ts'
import { isTimeZone } from '../../platform/instants.ts'
import { emitInBothModes, emitWrite } from '../../platform/record-events.ts'
import { checkHolidays, checkWeek } from './check-hours.ts'
import { scheduleEvents } from './events.ts'
import { insertSchedule, isKnownZone, lockSchedule, removeSchedule, updateScheduleRow } from './queries.ts'
import type { NewSchedule, Schedule, ScheduleChanges } from './schema.ts'

export async function createSchedule(tx: TenantTx, principal: Principal, given: NewSchedule): Promise<Schedule> {
  const schedule = await checked(tx, principal, given)
  const after = await insertSchedule(tx, schedule).catch((error) => nameIsTaken(error, schedule.name))
  await emitWrite(tx, scheduleEvents, { after }, emitInBothModes)
  return after
}

export async function updateSchedule(
  tx: TenantTx,
  principal: Principal,
  id: string,
  changes: ScheduleChanges,
): Promise<Schedule> {
  const before = found(await lockSchedule(tx, id), 'Schedule')
  const schedule = await checked(tx, principal, { ...before, ...changes })
  const after = await updateScheduleRow(tx, id, schedule).catch((error) => nameIsTaken(error, schedule.name))
  await emitWrite(tx, scheduleEvents, { before, after }, emitInBothModes)
  return after
}

/** Deletes a schedule that nothing uses: without it, its users would count as always open. */
export async function deleteSchedule(tx: TenantTx, principal: Principal, id: string): Promise<void> {
  refuseTestKey(principal, 'Business hours hold for live mode too')
  const removed = await removeSchedule(tx, id).catch((error) => {
    throw (error as { code?: string }).code === foreignKeyViolation
      ? conflict('These business hours are in use: choose others there first')
      : error
  })
  await emitWrite(tx, scheduleEvents, { before: found(removed, 'Schedule') }, emitInBothModes)
}

const foreignKeyViolation = '23503'

async function checked(tx: TenantTx, principal: Principal, schedule: NewSchedule): Promise<NewSchedule> {
  refuseTestKey(principal, 'Business hours hold for live mode too')
  if (!isTimeZone(schedule.time_zone) || !(await isKnownZone(tx, schedule.time_zone)).is_known)
    throw invalid(['body', 'time_zone'], 'Not a time zone: use an IANA name such as Europe/Berlin')
  checkWeek(schedule.weekly_hours)
  checkHolidays(schedule.holidays)
  return { ...schedule, name: schedule.name.trim() }
}

function nameIsTaken(error: unknown, name: string): never {
  throw violates(error, 'schedules_name_is_unique')
    ? conflict(`There are business hours called ${name} already`)
    : error
}
