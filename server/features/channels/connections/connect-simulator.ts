import { ChatError, type ChatPlatform } from '../../../providers/chat/contract.ts'

/** Registers the number with the simulator and returns a connection to it. */
type Connect = (options: { again: boolean }) => Promise<ChatPlatform>

/** The platform's error code for an unknown token. */
const unknownToken = '190'

/**
 * A connection to the simulator that is established by its first call, so that opening it makes no request. A restarted
 * simulator has lost the number: it is registered again and the call repeated, which is safe because the first call was
 * refused.
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
    readHealth: () => call((platform) => platform.readHealth()),
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
    readClicks: (which) => call((platform) => platform.readClicks(which)),
    listLibrary: (filter) => call((platform) => platform.listLibrary(filter)),
    send: (message) => call((platform) => platform.send(message)),
    markRead: (id, options) => call((platform) => platform.markRead(id, options)),
    setBlocked: (person, isBlocked) => call((platform) => platform.setBlocked(person, isBlocked)),
    requestAppData: (what) => call((platform) => platform.requestAppData(what)),
    async uploadMedia(media) {
      // The bytes can be read only once, so make sure that the simulator knows the number first.
      await call((platform) => platform.listLibrary({ name: 'none' }))
      return (await connected()).uploadMedia(media)
    },
    uploadSample: (sample) => call((platform) => platform.uploadSample(sample)),
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
