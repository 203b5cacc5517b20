import { expect, test } from 'vitest'
import { humanise, humaniseReference } from './humanise.ts'

test('says snake case, camel case and known short forms as words', () => {
  expect(humanise('sla_due_at')).toBe('SLA due at')
  expect(humanise('firstName')).toBe('First name')
  expect(humanise('id')).toBe('ID')
  expect(humanise('Größe')).toBe('Größe')
  expect(humanise('__')).toBe('__')
})

test('names a foreign key by what it points at', () => {
  expect(humaniseReference('assignee_id')).toBe('Assignee')
  expect(humaniseReference('ownerId')).toBe('Owner')
  expect(humaniseReference('id')).toBe('ID')
  expect(humaniseReference('paid')).toBe('Paid')
})
