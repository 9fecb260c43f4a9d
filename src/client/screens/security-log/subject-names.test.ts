import { expect, it } from 'vitest';
import { namedSubject } from './subject-names.ts';

const names = new Map([
  ['WrdOXnUuwrdZ', 'Werkzeug'],
  ['Ab3dEf6hIj9k', 'Google Shopping'],
]);

it('an event names the catalogue or export that its id stands for; everything else stays as it was written', () => {
  expect(namedSubject('WrdOXnUuwrdZ', names)).toBe('Werkzeug');
  expect(namedSubject('settings export:Ab3dEf6hIj9k', names)).toBe('settings Google Shopping');
  expect(namedSubject('WrdOXnUuwrdZ AAAAAAAAAA', names)).toBe('Werkzeug AAAAAAAAAA');
  expect(namedSubject('anna@firma.de, Inhaber → Lesend', names)).toBe('anna@firma.de, Inhaber → Lesend');
  expect(namedSubject('', names)).toBe('');
});
