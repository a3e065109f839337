/** The document is gone, or another run has claimed it: this run has nothing left to do. */
export class Superseded extends Error {
  constructor() {
    super('another run works on the document, or it was deleted')
  }
}
