import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CallError } from './call.ts';
import { failureOf } from './failure.ts';

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

const remedyOf = (code: string) =>
  failureOf('Fehler beim Speichern', new CallError(401, { code, message: 'Nein.', requestId: 'r' })).remedy;

it('a session that is over leads to the sign-in', () => {
  expect(remedyOf('no_session')).toMatchObject({ label: 'Anmelden (neues Fenster)' });
});

it.each(['wrong_code', 'wrong_passkey', 'wrong_credentials', 'ticket_over'])(
  'whoever is told %s is not sent to sign in, where nothing would be to do',
  (code) => {
    expect(remedyOf(code)).toBeUndefined();
  },
);
