import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CallError } from './call.ts';
import { failureOf } from './failure.ts';

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

const remedyOf = (code: string) =>
  failureOf('Fehler beim Speichern', new CallError(401, { code, message: 'Nein.', requestId: 'r' })).remedy;

it('an expired session offers a link to the sign-in page', () => {
  expect(remedyOf('no_session')).toMatchObject({ label: 'Anmelden (neues Fenster)' });
});

it.each(['wrong_code', 'wrong_passkey', 'wrong_credentials', 'ticket_over'])(
  'the error %s offers no link to the sign-in page, which would not help',
  (code) => {
    expect(remedyOf(code)).toBeUndefined();
  },
);

it('keeps the code of the server, so that a catalogue before its first import is no error', () => {
  const before = new CallError(409, { code: 'no_items', message: 'Noch keine Artikel.', requestId: 'r' });
  expect(failureOf('Fehler beim Laden', before)).toMatchObject({ code: 'no_items', status: 409 });
  expect(failureOf('Fehler beim Laden', new Error('x')).code).toBeUndefined();
});
