import type { TenantSql } from '../../platform/database.ts'
import { conflict, found } from '../../platform/errors.ts'
import { type SimulatedConnections, sendsAsMarketing } from '../channels/chat-connections.ts'
import { findTemplate } from '../templates/find-template.ts'
import type { SimulatedTemplateEvent } from './schema.ts'
import { type SimulatedPlatform, simulatorFailed } from './simulator-controls.ts'

/** Changes a template at the simulated platform. Our record follows when its webhook arrives. */
export async function changeSimulatedTemplate(
  sql: TenantSql,
  templateId: string,
  event: SimulatedTemplateEvent,
  { chatConnections, simulator }: { chatConnections: SimulatedConnections; simulator: SimulatedPlatform },
): Promise<void> {
  const template = found(await findTemplate(sql, templateId), 'Template')
  if (!template.remote_template_id) throw conflict('The template is not registered with the platform yet')
  try {
    // The platform posts webhooks only to registered channels, and a channel that was never used is not registered yet.
    const number = await chatConnections.introduce(sql, template.channel_id)
    const marketing_messages = sendsAsMarketing(number, template.category)
    await simulator.changeTemplate(template.remote_template_id, { marketing_messages, ...event })
  } catch (error) {
    throw simulatorFailed(error)
  }
}
