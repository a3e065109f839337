import type { TenantSql } from '../../platform/database.ts'
import { conflict, found, invalid } from '../../platform/errors.ts'
import { type SimulatedConnections, sendsAsMarketing } from '../channels/connections/chat-connections.ts'
import { linkLabelsOf } from '../templates/content/parts.ts'
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
  if (event.event === 'click') requireLink(linkLabelsOf(template.components), event.button)
  try {
    // The platform posts webhooks only to registered channels, and a channel that was never used is not registered yet.
    const number = await chatConnections.introduce(sql, template.channel_id)
    const marketing_messages = sendsAsMarketing(number, template.category)
    await simulator.changeTemplate(template.remote_template_id, { marketing_messages, ...event })
  } catch (error) {
    throw simulatorFailed(error)
  }
}

function requireLink(links: string[], button: string | undefined): void {
  if (links.length === 0) throw conflict('The template has no button that opens a website')
  if (button === undefined || links.includes(button)) return
  const labels = links.map((each) => `“${each}”`).join(', ')
  throw invalid(['body', 'button'], `The template has no such link; it has ${labels}`)
}
