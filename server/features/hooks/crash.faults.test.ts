import { test } from 'node:test'
import { killReceivers } from '../../testing/kill-receivers.ts'

test('no acknowledged webhook is lost or applied twice when the process is killed repeatedly', () => killReceivers(3))
