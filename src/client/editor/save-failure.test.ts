import { describe, expect, it, vi } from 'vitest';
import { CallError } from '#client/call.ts';
import { saveFailureOf } from './save-failure.ts';

const refused = (status: number, message: string) => new CallError(status, { code: 'x', message, requestId: '' });

describe('the failure of a save', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);

  it('GEN-05 the message says that the edits are kept, and suggests another try where that may help', () => {
    expect(saveFailureOf(refused(503, 'Gerade überlastet.')).message).toBe(
      'Gerade überlastet. Ihre Änderungen stehen noch im Formular. Bitte versuchen Sie es erneut.',
    );
    expect(saveFailureOf(refused(422, 'Nein.')).message).toBe('Nein. Ihre Änderungen stehen noch im Formular.');
    expect(saveFailureOf(refused(422, 'Nur Zahlen sind erlaubt')).message).toBe(
      'Nur Zahlen sind erlaubt. Ihre Änderungen stehen noch im Formular.',
    );
    expect(saveFailureOf(refused(409, 'Zu spät.'))).toMatchObject({ conflict: true, message: 'Zu spät.' });
  });

  it('T26 declining the question about price limits is reported as such, not as a conflict with another save', () => {
    const no = new CallError(409, { code: 'limits_confirm', message: 'Damit ändern sich …', requestId: '' });
    const failure = saveFailureOf(no);
    expect(failure.conflict).toBe(false);
    expect(failure.message).toBe(
      'Die Preisgrenzen bleiben, wie sie sind; es wurde nichts gespeichert. Ihre Änderungen stehen noch im Formular.',
    );
  });

  it('GEN-05 a timeout is reported as an unknown outcome, with the edits kept', () => {
    const failure = saveFailureOf(new DOMException('too long', 'TimeoutError'));
    expect(failure.conflict).toBe(false);
    expect(failure.message).toContain('nicht rechtzeitig geantwortet');
    expect(failure.message).toContain('Ihre Änderungen stehen noch im Formular.');
  });
});
