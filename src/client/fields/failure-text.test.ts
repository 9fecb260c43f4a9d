import { expect, it } from 'vitest';
import { CallError } from '#client/call.ts';
import { failureText } from './failure-text.ts';

const failed = (status: number, message: string) => new CallError(status, { code: 'x', message, requestId: '' });

it('ORD-04 an HTTP error is shown by its status, any other by its message, and one without a message as unknown', () => {
  expect(failureText(failed(500, 'Es ist ein Fehler aufgetreten.'))).toBe('HTTP error! Status: 500');
  expect(failureText(failed(422, 'Das Ende liegt vor dem Anfang.'))).toBe('HTTP error! Status: 422');
  expect(failureText(failed(0, 'Der Server ist nicht erreichbar.'))).toBe('Der Server ist nicht erreichbar.');
  expect(failureText(failed(200, 'Die Antwort war unverständlich.'))).toBe('Die Antwort war unverständlich.');
  expect([failureText(new Error('')), failureText(undefined), failureText('x')]).toEqual(
    Array.from({ length: 3 }, () => 'Unbekannter Fehler'),
  );
});
