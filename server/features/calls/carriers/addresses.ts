/** Public address of the service and local address of this process. The local one is known once the server listens. */
export interface Addresses {
  publicUrl: string | undefined
  /** For example `http://127.0.0.1:3000`. */
  own(): string
}

export const hookPaths = {
  inbound: (channelId: string) => `/hooks/voice/${channelId}/inbound`,
  inboundStatus: (channelId: string) => `/hooks/voice/${channelId}/status`,
  answer: (channelId: string, id: string) => `/hooks/voice/${channelId}/calls/${id}/answer`,
  status: (channelId: string, id: string) => `/hooks/voice/${channelId}/calls/${id}/status`,
  machine: (channelId: string, id: string) => `/hooks/voice/${channelId}/calls/${id}/machine`,
  after: (channelId: string, id: string) => `/hooks/voice/${channelId}/calls/${id}/after`,
  transferred: (channelId: string, id: string) => `/hooks/voice/${channelId}/calls/${id}/transferred`,
  briefing: (channelId: string, id: string) => `/hooks/voice/${channelId}/calls/${id}/briefing`,
  accepted: (channelId: string, id: string) => `/hooks/voice/${channelId}/calls/${id}/accepted`,
  media: (channelId: string) => `/hooks/voice/${channelId}/media`,
}

export const webCallPath = (id: string) => `/api/v1/calls/web/${id}`

export const listenPath = (id: string) => `/api/v1/calls/${id}/listen`

export const toSocketUrl = (url: string) => url.replace(/^http/, 'ws')
