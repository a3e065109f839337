import type { Database } from '../../platform/database.ts'
import { conflict } from '../../platform/errors.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import type { Carriers } from '../calls/carriers/carriers.ts'
import type { SimulatedConnections } from '../channels/connections/chat-connections.ts'
import { changeSimulatedHealth } from './change-simulated-health.ts'
import { changeSimulatedTemplate } from './change-simulated-template.ts'
import { receiveSimulatedCall } from './receive-simulated-call.ts'
import { receiveSimulatedMessage } from './receive-simulated-message.ts'
import {
  ChannelPath,
  ReceivedCall,
  ReceivedMessage,
  SimulatedAppEvent,
  SimulatedCall,
  SimulatedHealth,
  SimulatedMessage,
  SimulatedTemplateEvent,
  TemplatePath,
  Told,
} from './schema.ts'
import type { SimulatedPlatform } from './simulator-controls.ts'
import { tellOfBusinessApp } from './tell-of-business-app.ts'

const tag = 'Simulator'

export function simulatorRoutes(
  routes: Routes,
  deps: {
    database: Database
    chatConnections: SimulatedConnections
    carriers: Carriers
    phones: PhoneNumbers
    simulator: SimulatedPlatform
  },
): void {
  const inTestMode = ({ scope }: Principal) => {
    if (scope.livemode) throw conflict('The simulator belongs to test mode: use a test credential')
    return deps.database.forTenant(scope)
  }

  routes.callOut({
    id: 'simulateMessage',
    method: 'POST',
    url: '/simulator/messages',
    tag,
    summary: 'Simulate an inbound message',
    description:
      'Test mode only. The message takes the same path as a real one: the simulated platform posts it, signed, to the channel’s webhook, and it appears in the inbox a moment later. Numbers ending in 0100 to 0107 behave in special ways when you write to them; see the guide “Try it without an account”.',
    scope: 'inbox:write',
    body: SimulatedMessage,
    response: ReceivedMessage,
    status: 202,
    errors: [404, 409, 502],
    handler: async ({ body, principal }) => ({
      chat_message_id: await receiveSimulatedMessage(inTestMode(principal), body, deps),
    }),
  })

  routes.callOut({
    id: 'simulateBusinessApp',
    method: 'POST',
    url: '/simulator/business-app',
    tag,
    summary: 'Simulate the WhatsApp Business app',
    description:
      'Test mode only. Acts as the WhatsApp Business app on the channel’s number: sends a message, or shares its chats and contacts. The simulated platform posts a signed webhook, and the channel gets `coexistence: true`.',
    scope: 'inbox:write',
    body: SimulatedAppEvent,
    response: Told,
    status: 202,
    errors: [404, 409, 502],
    handler: async ({ body, principal }) => {
      await tellOfBusinessApp(inTestMode(principal), body, deps)
      return { message: 'Sent to the simulator' }
    },
  })

  routes.callOut({
    id: 'simulateCall',
    method: 'POST',
    url: '/simulator/calls',
    tag,
    summary: 'Simulate an inbound call',
    description:
      'Test mode only. The call takes the same path as a real one: the simulated carrier asks the channel’s hook what to do, and the channel’s agent answers a caller with a real voice.',
    scope: 'calls:dispatch',
    body: SimulatedCall,
    response: ReceivedCall,
    status: 202,
    errors: [404, 409, 502],
    handler: async ({ body, principal }) => ({
      call_id: await receiveSimulatedCall(inTestMode(principal), body, deps),
    }),
  })

  routes.callOut({
    id: 'simulateTemplateEvent',
    method: 'POST',
    url: '/simulator/templates/{template_id}/events',
    tag,
    summary: 'Simulate a template review',
    description:
      'Test mode only. Approves, rejects, rates, pauses, disables or recategorizes a template at the simulated platform. The template changes when the platform’s webhook arrives.',
    scope: 'campaigns:manage',
    params: TemplatePath,
    body: SimulatedTemplateEvent,
    response: Told,
    status: 202,
    errors: [404, 409, 502],
    handler: async ({ params, body, principal }) => {
      await changeSimulatedTemplate(inTestMode(principal), params.template_id, body, deps)
      return { message: 'Sent to the simulator' }
    },
  })

  routes.callOut({
    id: 'simulateHealth',
    method: 'POST',
    url: '/simulator/channels/{channel_id}/health',
    tag,
    summary: 'Simulate a change of a number’s health',
    description:
      'Test mode only. Changes quality, limit, throughput, name review or restrictions of the number at the simulated platform. The channel changes when the platform’s webhooks arrive.',
    scope: 'campaigns:manage',
    params: ChannelPath,
    body: SimulatedHealth,
    response: Told,
    status: 202,
    errors: [404, 409, 502],
    handler: async ({ params, body, principal }) => {
      await changeSimulatedHealth(inTestMode(principal), params.channel_id, body, deps)
      return { message: 'Sent to the simulator' }
    },
  })
}
