/** A part of a template, as the platform stores it. */
export interface Component {
  type: string
  format?: string
  text?: string
  buttons?: Record<string, unknown>[]
  example?: Record<string, unknown>
  cards?: { components: Component[] }[]
  [member: string]: unknown
}
