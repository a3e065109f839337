import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCountries } from 'libphonenumber-js/min'
import { countryCodes } from './countries.ts'

test('every country that the API accepts can be chosen', () => {
  assert.deepEqual(countryCodes, getCountries())
})
