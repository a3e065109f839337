/** Where files are downloaded; a message shows this address with the id of its file behind it. */
export const mediaAddress = (serviceUrl: string): string => `${serviceUrl}/api/v1/inbox/media/`
