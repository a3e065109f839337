// biome-ignore-all lint/performance/noBarrelFile: the front door of the package
// biome-ignore-all lint/performance/noReExportAll: every type of the API is meant
export { type Client, createClient } from './client.ts'
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type Fault,
  FrontdeskError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  TimeoutError,
  ValidationError,
} from './errors.ts'
export type { FileContent, Upload } from './form.ts'
export { operations, type Resources } from './generated/operations.ts'
export type * as api from './generated/types.ts'
export type { CursorPage, List } from './list.ts'
export type { Operation } from './operation.ts'
export type { ClientOptions, Options, OptionsWithQuery } from './options.ts'
export type { EventStream, StreamOptions } from './stream.ts'
export { verifyWebhook, WebhookError, type WebhookRequest } from './webhooks.ts'
