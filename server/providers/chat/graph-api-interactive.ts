import type { Json } from './graph-api-client.ts'
import type { InteractiveMessage } from './interactive-message.ts'

/** The platform's `interactive` object. */
export function interactiveJson(message: InteractiveMessage): Json {
  const { type, header, body, footer } = message
  return {
    type,
    ...(header && { header: headerJson(header) }),
    ...(body && { body: { text: body } }),
    ...(footer && { footer: { text: footer } }),
    action: actionJson(message),
  }
}

const headerJson = ({ type, text, link }: NonNullable<InteractiveMessage['header']>): Json =>
  type === 'text' ? { type, text } : { type, [type]: { link } }

function actionJson({ type, label, ...message }: InteractiveMessage): Json {
  switch (type) {
    case 'button':
      return { buttons: message.buttons?.map((reply) => ({ type: 'reply', reply })) }
    case 'list':
      return { button: label, sections: message.sections }
    case 'cta_url':
      return { name: type, parameters: { display_text: label, url: message.url } }
    case 'location_request_message':
      return { name: 'send_location' }
    case 'flow':
      return { name: type, parameters: { ...flowJson(message.flow ?? {}), flow_cta: label } }
    case 'product':
      return { catalog_id: message.catalog_id, product_retailer_id: message.product_retailer_id }
    case 'product_list':
      return {
        catalog_id: message.catalog_id,
        sections: message.sections?.map(({ title, product_retailer_ids: ids = [] }) => ({
          title,
          product_items: ids.map((id) => ({ product_retailer_id: id })),
        })),
      }
  }
}

function flowJson({ id, name, token, mode, action, screen, data }: NonNullable<InteractiveMessage['flow']>): Json {
  return {
    // The only version that the platform accepts.
    flow_message_version: '3',
    flow_id: id,
    flow_name: name,
    flow_token: token,
    mode,
    flow_action: action,
    ...(screen && { flow_action_payload: { screen, data } }),
  }
}
