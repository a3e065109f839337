import type { TenantSql } from '../../platform/database.ts'
import type { SimulatedConnections } from '../channels/connections/chat-connections.ts'
import type { SimulatedHealth } from './schema.ts'
import { type SimulatedPlatform, simulatorFailed } from './simulator-controls.ts'

/** Changes the health of a number at the simulated platform. The channel follows when the webhooks arrive. */
export async function changeSimulatedHealth(
  sql: TenantSql,
  channelId: string,
  health: SimulatedHealth,
  { chatConnections, simulator }: { chatConnections: SimulatedConnections; simulator: SimulatedPlatform },
): Promise<void> {
  try {
    const { owner, phoneNumberId } = await chatConnections.introduce(sql, channelId)
    const restrictions = health.restrictions?.map(({ type, until }) => ({
      restriction_type: type,
      ...(until && { expiration: Math.floor(Date.parse(until) / 1000) }),
    }))
    await simulator.changeHealth({
      owner,
      phone_number_id: phoneNumberId,
      ...health,
      ...(restrictions && { restrictions }),
    })
  } catch (error) {
    throw simulatorFailed(error)
  }
}
