import { describe, expect, it, vi } from 'vitest';
import { CallError } from '#client/call.ts';
import { saveFailureOf } from './save-failure.ts';

const refused = (status: number, message: string) => new CallError(status, { code: 'x', message, requestId: '' });

describe('a save that failed', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);

  it('GEN-05 says that the edits are still there, and that another try helps where it may', () => {
    expect(saveFailureOf(refused(503, 'Gerade überlastet.')).message).toBe(
      'Gerade überlastet. Ihre Änderungen stehen noch im Formular. Bitte versuchen Sie es erneut.',
    );
    expect(saveFailureOf(refused(422, 'Nein.')).message).toBe('Nein. Ihre Änderungen stehen noch im Formular.');
    expect(saveFailureOf(refused(422, 'Nur Zahlen sind erlaubt')).message).toBe(
      'Nur Zahlen sind erlaubt. Ihre Änderungen stehen noch im Formular.',
    );
    expect(saveFailureOf(refused(409, 'Zu spät.'))).toMatchObject({ conflict: true, message: 'Zu spät.' });
  });

  it('T26 a no to the question about limits of prices is told as such, not as a save of somebody else', () => {
    const no = new CallError(409, { code: 'limits_confirm', message: 'Damit ändern sich …', requestId: '' });
    const failure = saveFailureOf(no);
    expect(failure.conflict).toBe(false);
    expect(failure.message).toBe(
      'Die Preisgrenzen bleiben, wie sie sind; es wurde nichts gespeichert. Ihre Änderungen stehen noch im Formular.',
    );
  });

  it('GEN-05 after too long a time nobody knows whether it was saved', () => {
    const failure = saveFailureOf(new DOMException('too long', 'TimeoutError'));
    expect(failure.conflict).toBe(false);
    expect(failure.message).toContain('nicht rechtzeitig geantwortet');
    expect(failure.message).toContain('Ihre Änderungen stehen noch im Formular.');
  });
});
