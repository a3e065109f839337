import { ChatError, type ChatPlatform } from '../../providers/chat/contract.ts'

/** Makes the number known to the simulator and answers the way to it. */
type Connect = (options: { again: boolean }) => Promise<ChatPlatform>

/** The platform's word for a token that it does not know. */
const unknownToken = '190'

/**
 * A line to the simulator that is connected by its first call, so that opening it calls nobody. A simulator that was
 * started anew has forgotten the number: it is told again, and asked again, since it did nothing the first time.
 */
export function simulatedPlatform(connect: Connect): ChatPlatform {
  const connected = async (again = false): Promise<ChatPlatform> => {
    try {
      return await connect({ again })
    } catch (error) {
      throw unreachable(error as Error)
    }
  }
  async function call<T>(ask: (platform: ChatPlatform) => Promise<T>): Promise<T> {
    try {
      return await ask(await connected())
    } catch (error) {
      if (!isForgotten(error)) throw error
      return ask(await connected(true))
    }
  }
  return {
    readNumber: () => call((platform) => platform.readNumber()),
    createTemplate: (draft) => call((platform) => platform.createTemplate(draft)),
    createTemplateFromLibrary: (draft) => call((platform) => platform.createTemplateFromLibrary(draft)),
    async *listTemplates() {
      let begun = false
      try {
        for await (const page of (await connected()).listTemplates()) {
          begun = true
          yield page
        }
      } catch (error) {
        if (begun || !isForgotten(error)) throw error
        yield* (await connected(true)).listTemplates()
      }
    },
    findTemplate: (which) => call((platform) => platform.findTemplate(which)),
    deleteTemplate: (which) => call((platform) => platform.deleteTemplate(which)),
    listLibrary: (filter) => call((platform) => platform.listLibrary(filter)),
    send: (message) => call((platform) => platform.send(message)),
    markRead: (id) => call((platform) => platform.markRead(id)),
    async uploadMedia(media) {
      // Bytes can be read once only: better to find out before.
      await call((platform) => platform.listLibrary({ name: 'none' }))
      return (await connected()).uploadMedia(media)
    },
    downloadMedia: (id) => call((platform) => platform.downloadMedia(id)),
  }
}

const isForgotten = (error: unknown): boolean => error instanceof ChatError && error.code === unknownToken

const unreachable = (error: Error): ChatError =>
  error instanceof ChatError
    ? error
    : new ChatError(
        {
          verdict: 'retry',
          scope: 'request',
          code: 'unreachable',
          subcode: null,
          message: error.message,
          retryAfterMs: null,
        },
        error,
      )
