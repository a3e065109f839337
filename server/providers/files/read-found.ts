import { notFound } from '../../platform/errors.ts'
import type { ServedFile } from '../../platform/http/file-answer.ts'
import { FileMissing, type FileStore } from './contract.ts'

/** Reads a stored file for an answer: 404 if it was removed meanwhile. */
export const readFound =
  (files: FileStore, key: string, noun: string): ServedFile['read'] =>
  (range) =>
    files.read(key, range).catch((error) => {
      throw error instanceof FileMissing ? notFound(noun) : error
    })
