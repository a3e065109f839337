import type { Button, Component } from './component-schema.ts'
import { distinctVariables, fillVariables, isPositional } from './variables.ts'

/**
 * The platform wants an example for every variable; the contract does not ask callers for any. Missing ones are filled
 * with neutral values. A media header needs an uploaded file, which cannot be made up.
 */
export function withExampleValues(components: Component[]): Component[] {
  return components.map((component) => {
    const { type, format = 'TEXT', text = '', buttons, cards, example } = component
    if (cards)
      return { ...component, cards: cards.map((card) => ({ ...card, components: withExampleValues(card.components) })) }
    if (type === 'BUTTONS' && buttons) return { ...component, buttons: buttons.map(withButtonExample) }
    if (example !== undefined || (type !== 'BODY' && (type !== 'HEADER' || format !== 'TEXT'))) return component
    const names = distinctVariables(text)
    if (names.length === 0) return component
    const part = type === 'BODY' ? 'body_text' : 'header_text'
    if (!names.every(isPositional)) {
      const named = names.map((name) => ({ param_name: name, example: 'Example' }))
      return { ...component, example: { [`${part}_named_params`]: named } }
    }
    const values = names.map((name) => `Example ${name}`)
    return { ...component, example: { [part]: type === 'BODY' ? [values] : values } }
  })
}

function withButtonExample(button: Button): Button {
  if (button.type === 'COPY_CODE') return { ...button, example: button.example ?? 'EXAMPLE25' }
  if (button.type !== 'URL' || button.example !== undefined || !button.url) return button
  if (distinctVariables(button.url).length === 0) return button
  return { ...button, example: [fillVariables(button.url, 'example')] }
}
