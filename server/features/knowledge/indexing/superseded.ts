/** The document is gone, or another run works on it: this one has nothing left to do. */
export class Superseded extends Error {
  constructor() {
    super('another run works on the document, or it was deleted')
  }
}
