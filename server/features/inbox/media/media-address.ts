/** The base URL of media downloads. A message shows it followed by the id of its file. */
export const mediaAddress = (serviceUrl: string): string => `${serviceUrl}/api/v1/inbox/media/`
