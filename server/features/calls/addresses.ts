/** Where this process, and this service, can be reached; known for sure once it listens. */
export interface Addresses {
  publicUrl: string | undefined
  /** Where this process listens, as in `http://127.0.0.1:3000`. */
  own(): string
}

export const hookPaths = {
  inbound: (channelId: string) => `/hooks/voice/${channelId}/inbound`,
  inboundStatus: (channelId: string) => `/hooks/voice/${channelId}/status`,
  answer: (channelId: string, id: string) => `/hooks/voice/${channelId}/calls/${id}/answer`,
  status: (channelId: string, id: string) => `/hooks/voice/${channelId}/calls/${id}/status`,
  machine: (channelId: string, id: string) => `/hooks/voice/${channelId}/calls/${id}/machine`,
  after: (channelId: string, id: string) => `/hooks/voice/${channelId}/calls/${id}/after`,
  media: (channelId: string) => `/hooks/voice/${channelId}/media`,
}

export const webCallPath = (id: string) => `/api/v1/calls/web/${id}`

export const toSocketUrl = (url: string) => url.replace(/^http/, 'ws')
